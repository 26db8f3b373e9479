// Reads the errors of providers, from responses with an error status and from those with a success status.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { readJson } from "./json-in.ts";
import { isObject } from "./json-objects.ts";

/** An error as the provider reports it. Texts may contain the key. */
export interface ReportedError {
  /** Status that the error names; undefined if it names none. */
  readonly status: number | undefined;
  readonly message: string;
  /** Codes and types, in lower case. */
  readonly names: readonly string[];
}

/** Reads the body of a response with an error status; a body of another form is its message. */
export function readErrorBody(body: string): ReportedError {
  const json = readJson(body);
  return (isObject(json) && findError(json)) || { status: undefined, message: body, names: [] };
}

/**
 * Finds an error in the body of a success status or in its first choice, since routers send status 200 before the model
 * runs (openrouter.ai/docs/api-reference/errors, github.com/maximhq/bifrost/pull/5963).
 */
export function readError(json: JsonObject): ReportedError | undefined {
  const [choice] = Array.isArray(json.choices) ? json.choices : [];
  const isAnswered = isObject(choice) || Array.isArray(json.content);
  // An answer may have an empty error; a completion next to an error text counts.
  if (isAnswered && !isObject(json.error))
    return isObject(choice) ? findError({ error: choice.error ?? null }) : undefined;
  return findError(json);
}

/** Forms of OpenAI, Anthropic, FastAPI, Cloudflare and vLLM. */
function findError(json: JsonObject): ReportedError | undefined {
  const [first] = Array.isArray(json.errors) ? json.errors : [];
  const found = json.error ?? first ?? json.detail ?? (isError(json) ? json : undefined);
  if (found === undefined || found === null || found === "" || found === false) return undefined;
  if (!isObject(found))
    return { ...toReported(json), message: typeof found === "string" ? found : JSON.stringify(found) };
  return toReported(found, json);
}

/** True for an object that is an error itself: it has a message or says so, and no completion. */
const isError = ({ object, type, message, choices, content }: JsonObject) =>
  object === "error" ||
  type === "error" ||
  (typeof message === "string" && choices === undefined && content === undefined);

function toReported(error: JsonObject, around: JsonObject = {}): ReportedError {
  const values = [
    error.code,
    error.type,
    error.status,
    error.statusCode,
    around.code,
    around.status,
    around.statusCode,
  ];
  const texts = values.filter((value) => typeof value === "string").map((text) => text.toLowerCase());
  const names = texts.filter((text) => text !== "error" && !/^\d+$/.test(text));
  const words = [error.message, error.detail, error.param].filter((text) => typeof text === "string");
  return {
    status: values.map(toStatus).find((status) => status !== undefined) ?? findStatus(names),
    message: words.join(" "),
    names,
  };
}

function toStatus(value: JsonValue | undefined): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

/** Statuses of the names that providers use. The first that matches counts. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/quota|billing|payment|credit/, 402],
  [/rate_?limit|too_many|throttl|resource_exhausted/, 429],
  [/auth|api_?key|permission|forbidden/, 401],
  [/not_?found/, 404],
  [/invalid|bad_?request|validation/, 400],
];

const findStatus = (names: readonly string[]) =>
  statuses.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];

/** Describes a body that is not a JSON object. */
export function describeBody(body: string): { readonly what: string; readonly isTransient: boolean } {
  const start = body.trimStart().slice(0, 1_000);
  if (start === "") return { what: "an empty body", isTransient: true };
  if (/^<(?:!doctype|html|\?xml|head|body)/i.test(start)) return { what: "a web page", isTransient: false };
  if (/^(?:data|event|id):/.test(start)) return { what: "an event stream", isTransient: false };
  if (start.startsWith("{")) return { what: "incomplete JSON", isTransient: true };
  return { what: "a text that is not JSON", isTransient: false };
}
