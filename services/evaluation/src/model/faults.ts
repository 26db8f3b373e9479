// What went wrong in a call, as those who plan the next one need it. Texts are shown to people: the key is cut out of them.

import { APICallError, NoObjectGeneratedError } from "ai";
import { ModelFault, type Usage } from "../judges/index.ts";
import { type Parameter, parameters } from "./dropped-parameters.ts";
import { causes, unreached } from "./network-fault.ts";

interface CallEnd {
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly hasTimedOut: boolean;
}

const namesOf: Readonly<Record<Parameter, RegExp>> = {
  temperature: /\btemperature\b/i,
  seed: /\bseed\b/i,
  maxOutputTokens: /\bmax_(completion_|output_)?tokens\b/i,
  schema: /\b(response_format|json_schema|structured[ _]outputs?|output_config|output_format|tool_choice|tools)\b/i,
};

/** The fault of a call that threw. */
export function faultOf(error: unknown, { apiKey, timeoutMs, hasTimedOut }: CallEnd): ModelFault {
  const own = causes(error).find((cause) => cause instanceof ModelFault);
  if (own !== undefined) return own;
  if (hasTimedOut) return new ModelFault("retryable", `No answer within ${timeoutMs} ms`);
  const api = causes(error).find((cause) => APICallError.isInstance(cause));
  if (api?.statusCode !== undefined) return ofStatus(api, api.statusCode, apiKey);
  if (NoObjectGeneratedError.isInstance(error)) {
    return ended(error.finishReason, error.usage) ?? invalid(usageOf(error.usage));
  }
  return unreached(error);
}

export const invalid = (usage?: Usage): ModelFault =>
  new ModelFault("invalid", "The model's answer is no JSON of the schema", { usage });

/** The fault of an answer that the model ended for a reason of its own. */
export function ended(finishReason: string | undefined, usage: TokenCounts | undefined): ModelFault | undefined {
  if (finishReason !== "content-filter") return undefined;
  return new ModelFault("refused", "The model refused to answer", { usage: usageOf(usage) });
}

interface TokenCounts {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export const usageOf = ({ inputTokens = 0, outputTokens = 0 }: TokenCounts = {}): Usage => ({
  inputTokens,
  outputTokens,
});

/** Statuses that pass by themselves, beside 5xx. */
const passing = new Set([408, 409, 425, 429]);

function ofStatus(error: APICallError, status: number, apiKey: string): ModelFault {
  // A success that the client cannot read: no answer in the protocol's form.
  if (status < 300) return new ModelFault("invalid", "The provider's answer is not in its protocol's form", { status });
  const text = `The provider answered ${status}`;
  if (status === 401 || status === 403)
    return new ModelFault("permanent", `${text}: the key is not accepted`, { status });
  const reported = reportedBy(error, apiKey);
  const message = reported === "" ? text : `${text}: ${reported}`;
  if (status >= 500 || passing.has(status)) {
    return new ModelFault("retryable", message, { status, retryAfterMs: retryAfterMs(error.responseHeaders ?? {}) });
  }
  return new ModelFault("permanent", message, {
    status,
    parameter: status === 400 ? parameterOf(reported) : undefined,
  });
}

const parameterOf = (reported: string): Parameter | undefined =>
  parameters.find((name) => namesOf[name].test(reported));

const toldMax = 300;

/** The provider's own words, cut, without the key. */
function reportedBy({ responseBody = "" }: APICallError, apiKey: string): string {
  const words = messageIn(responseBody) ?? responseBody;
  const safe = apiKey === "" ? words : words.replaceAll(apiKey, "[key]");
  // Providers show keys by their beginning and end.
  const masked = safe.replace(/\b(sk|key|api|Bearer)[-_ ][\w*.-]{6,}/gi, "[key]");
  return masked.replace(/\s+/g, " ").trim().slice(0, toldMax).toWellFormed();
}

/** `error.message` and `error.param`, in the form of both protocols. */
function messageIn(body: string): string | undefined {
  try {
    const json: unknown = JSON.parse(body);
    const error = json !== null && typeof json === "object" && "error" in json ? json.error : undefined;
    if (typeof error === "string") return error;
    if (error === null || typeof error !== "object") return undefined;
    const texts = ["message", "param"].map((key) => (error as Readonly<Record<string, unknown>>)[key]);
    return texts.filter((text) => typeof text === "string").join(" ");
  } catch {
    return undefined;
  }
}

/** Seconds or a date; `retry-after-ms` is more exact. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1_000;
  const at = Date.parse(text);
  // The answer's own clock: ours may differ.
  const from = Date.parse(headers.date ?? "");
  return Number.isNaN(at) || Number.isNaN(from) ? undefined : Math.max(0, at - from);
}
