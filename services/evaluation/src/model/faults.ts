// Classifies faults of calls for retries. Their texts are for users and do not contain the key.

import { edgeReader, finiteNumber, timeMs } from "@ems/kit/edges";
import { makeStorable } from "@ems/kit/readers";
import { APICallError, NoObjectGeneratedError } from "ai";
import { type ArrivedAnswer, ModelFault, type ReportedUsage } from "../judges/index.ts";
import { type Parameter, parameters } from "./dropped-parameters.ts";
import { readJson } from "./json-in.ts";
import { causes, unreached } from "./network-fault.ts";

interface CallEnd {
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly hasTimedOut: boolean;
  /** Answer, if one arrived with a success status. */
  readonly answer: ArrivedAnswer | undefined;
}

const patterns: Readonly<Record<Parameter, RegExp>> = {
  temperature: /\btemperature\b/i,
  seed: /\bseed\b/i,
  maxOutputTokens: /\bmax_(completion_|output_)?tokens\b/i,
  schema: /\b(response_format|json_schema|structured[ _]outputs?|output_config|output_format|tool_choice|tools)\b/i,
};

/** Returns the fault of a call that threw. */
export function toFault(error: unknown, { apiKey, timeoutMs, hasTimedOut, answer }: CallEnd): ModelFault {
  const own = causes(error).find((cause) => cause instanceof ModelFault);
  if (own !== undefined) return own;
  // A success status with an answer that is not in the protocol's form.
  if (answer !== undefined) return unreadable(error, answer.usage);
  if (hasTimedOut) return new ModelFault("retryable", `No answer within ${timeoutMs} ms`);
  const api = causes(error).find((cause) => APICallError.isInstance(cause));
  if (api?.statusCode !== undefined) return ofStatus(api, api.statusCode, apiKey);
  return unreached(error);
}

function unreadable(error: unknown, usage: ReportedUsage): ModelFault {
  if (NoObjectGeneratedError.isInstance(error)) return ended(error.finishReason, usage) ?? invalid(usage);
  return new ModelFault("invalid", "The provider's answer is not in its protocol's form", { usage });
}

export const invalid = (usage: ReportedUsage): ModelFault =>
  new ModelFault("invalid", "The model's answer is not JSON of the schema", { usage });

/** Returns the fault for an answer that the model ended before it was complete. */
export function ended(finishReason: string | undefined, usage: ReportedUsage): ModelFault | undefined {
  if (finishReason !== "content-filter") return undefined;
  return new ModelFault("refused", "The model refused to answer", { usage });
}

/** Statuses of transient errors, in addition to 5xx. */
const passing = new Set([408, 409, 425, 429]);

function ofStatus(error: APICallError, status: number, apiKey: string): ModelFault {
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
    parameter: status === 400 ? findParameter(reported) : undefined,
  });
}

const findParameter = (reported: string): Parameter | undefined =>
  parameters.find((name) => patterns[name].test(reported));

const quotedMax = 300;

/** Returns the provider's own error text, shortened and without the key. */
function reportedBy({ responseBody = "" }: APICallError, apiKey: string): string {
  const words = messageIn(responseBody) ?? responseBody;
  const safe = apiKey === "" ? words : words.replaceAll(apiKey, "[key]");
  // Providers display keys by their first and last characters.
  const masked = safe.replace(/\b(sk|key|api|Bearer)[-_ ][\w*.-]{6,}/gi, "[key]");
  return makeStorable(masked.replace(/\s+/g, " ").trim().slice(0, quotedMax));
}

/** Reads `error.message` and `error.param`, in the forms of both protocols. */
function messageIn(body: string): string | undefined {
  const json: unknown = readJson(body);
  const error = json !== null && typeof json === "object" && "error" in json ? json.error : undefined;
  if (typeof error === "string") return error;
  if (error === null || typeof error !== "object") return undefined;
  const texts = ["message", "param"].map((key) => (error as Readonly<Record<string, unknown>>)[key]);
  return texts.filter((text) => typeof text === "string").join(" ");
}

const read = edgeReader("model");
/** Longer waits are pointless, because jobs end after a day. */
const retryAfterMsMax = 365 * 24 * 60 * 60_000;

/** Reads the delay, given in seconds or as a date; prefers `retry-after-ms`, which is more exact. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  return (
    read("retry_after", headers["retry-after-ms"], (value) => waitMs(finiteNumber(value))) ??
    read("retry_after", headers["retry-after"], (value) => {
      const seconds = finiteNumber(value);
      if (seconds !== undefined) return waitMs(seconds * 1_000);
      const [at, from] = [timeMs(value), timeMs(headers.date)];
      // Relative to the date in the response, because clocks may differ.
      return at === undefined || from === undefined ? undefined : waitMs(Math.max(0, at - from));
    })
  );
}

const waitMs = (ms: number | undefined) => (ms !== undefined && ms >= 0 && ms <= retryAfterMsMax ? ms : undefined);
