// Classifies faults of calls for retries. Their texts are for users: each names its cause and the next step, and none
// contains the key.

import { edgeReader, finiteNumber, timeMs } from "@ems/kit/edges";
import { makeStorable } from "@ems/kit/readers";
import { APICallError } from "ai";
import { ModelFault, type RepairableKind, type ReportedUsage, repairableReasons } from "../judges/index.ts";
import { type Parameter, parameters } from "./dropped-parameters.ts";
import { causes, unreached } from "./network-fault.ts";
import type { AnswerEnd } from "./read-answer.ts";
import { type ReportedError, readErrorBody } from "./reported-error.ts";

interface CallEnd {
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly hasTimedOut: boolean;
}

const patterns: Readonly<Record<Parameter, RegExp>> = {
  temperature: /\btemperature\b/i,
  seed: /\bseed\b/i,
  maxOutputTokens: /\bmax_(completion_|output_)?tokens\b/i,
  schema:
    /\b(response_format|json[_ ]schema|structured[_ ]outputs?|output_config|output_format|tool_choice|tools|grammar|guided)\b/i,
};

/** Returns the fault of a call that threw. */
export function toFault(error: unknown, { apiKey, timeoutMs, hasTimedOut }: CallEnd): ModelFault {
  const own = causes(error).find((cause) => cause instanceof ModelFault);
  if (own !== undefined) return own;
  if (hasTimedOut) return new ModelFault("unavailable", `No answer within ${timeoutMs} ms`);
  const api = causes(error).find((cause) => APICallError.isInstance(cause));
  if (api?.statusCode === undefined) return unreached(error);
  const { statusCode: status, responseBody = "", responseHeaders = {} } = api;
  return toErrorFault(readErrorBody(responseBody), { status, apiKey, headers: responseHeaders });
}

/** Returns the fault of an answer that cannot be read. */
export function unreadable(kind: RepairableKind, problem: string | undefined, usage: ReportedUsage): ModelFault {
  const reason = repairableReasons[kind];
  return new ModelFault(kind, problem === undefined ? reason : `${reason} (${problem})`, { usage });
}

/** Returns the fault for an answer that the model or the provider ended; undefined if it is complete. */
export function toEndFault(end: AnswerEnd, usage: ReportedUsage, tokensMax: number): ModelFault | undefined {
  switch (end) {
    case "complete":
      return undefined;
    case "truncated":
      return new ModelFault(
        "truncated",
        `The token limit cut off the model's answer. Judges allow ${tokensMax} tokens: use a model that reasons less, or raise the limits of its server (output, context)`,
        { usage },
      );
    case "refused":
      return new ModelFault(
        "refused",
        "The model refused to answer. Rephrase the definition, or use a different model",
        { usage },
      );
    case "filtered":
      return new ModelFault("filtered", filtered, { usage });
  }
}

const filtered =
  "The provider's content filter blocked the request or the answer. Change the filter's settings, or use a different model";

/** Returns the fault of a response with a success status and no completion. */
export function notCompletion(what: string, isTransient: boolean, usage: ReportedUsage = {}): ModelFault {
  const advice = isTransient
    ? "Check the server's log if this persists"
    : "Check the connection's base URL, which often ends with /v1, and its provider";
  return new ModelFault(
    "not_completion",
    `The server answered with a success status, but with ${what} instead of a completion. ${advice}`,
    {
      status: 200,
      usage,
      ...(isTransient && { retry: "later" }),
    },
  );
}

/** Statuses of transient errors, in addition to 5xx. */
const passing = new Set([408, 409, 425]);
/** Statuses with which servers refuse a parameter. */
const parameterStatuses = new Set([400, 422, 501]);

interface ErrorResponse {
  /** Status of the response; undefined for a success status. */
  readonly status: number | undefined;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const badGateway = 502;

/** Returns the fault of an error that the provider reports, by its status or in an answer with a success status. */
export function toErrorFault(error: ReportedError, { status: sent, apiKey, headers = {} }: ErrorResponse): ModelFault {
  const status = sent ?? error.status ?? badGateway;
  const reported = redact(error.message, apiKey);
  const named = error.status === undefined ? "" : ` (${error.status})`;
  const text =
    sent === undefined
      ? `The provider answered with a success status and an error${named}`
      : `The provider answered ${sent}`;
  const message = reported === "" ? text : `${text}: ${reported}`;
  const has = (pattern: RegExp) => error.names.some((name) => pattern.test(name));
  if (
    status < 500 &&
    (has(/content_?(filter|policy)|responsibleai/) || /content (filter|management|policy)/i.test(reported))
  )
    return new ModelFault("filtered", `${filtered} (${message})`, { status });
  // The provider enforces the schema, and the model did not follow it.
  if (has(/json_validate_failed/))
    return new ModelFault("not_json", `${repairableReasons.not_json} (${message})`, { status });
  if (status === 401 || status === 403)
    return new ModelFault("rejected", `${text}: the key is not accepted. Set a valid key of the provider`, { status });
  // Unlike a rate limit, a used quota does not end by waiting: only the account's owner can raise it.
  if (status === 402 || has(/insufficient_quota|billing/))
    return new ModelFault("rejected", `${message}. Raise the quota or pay the provider's account`, { status: 402 });
  if (status === 429) {
    return new ModelFault(
      "rate_limited",
      `${message}. Set limits.requestsPerMinute or tokensPerMinute of the connection, or raise the provider's limit`,
      {
        status,
        retryAfterMs: retryAfterMs(headers),
      },
    );
  }
  const parameter = parameterStatuses.has(status) ? findParameter(reported) : undefined;
  if (status >= 500 || passing.has(status))
    return new ModelFault("unavailable", message, { status, parameter, retryAfterMs: retryAfterMs(headers) });
  if (isUnknownModel(status, reported, error.names)) {
    return new ModelFault("rejected", `${message}. Set a model that the provider has`, {
      status,
      isModelUnknown: true,
    });
  }
  if (status === 404)
    return new ModelFault("rejected", `${message}. Check the connection's base URL, which often ends with /v1`, {
      status,
    });
  return new ModelFault("rejected", message, { status, parameter });
}

const findParameter = (reported: string): Parameter | undefined =>
  parameters.find((name) => patterns[name].test(reported));

const isUnknownModel = (status: number, reported: string, names: readonly string[]) =>
  names.some((name) => /model_not_?found|unknown_model|invalid_model/.test(name)) ||
  ((status === 404 || status === 400) &&
    /\bmodel\b/i.test(reported) &&
    /not (?:be )?found|does(?: not|n't) exist|unknown|invalid model|no such|not a valid|try pulling|unrecognized/i.test(
      reported,
    )) ||
  (status === 404 && /^model\b/i.test(reported));

const quotedMax = 300;

/** Returns the provider's own error text, shortened and without the key. */
function redact(words: string, apiKey: string): string {
  const safe = apiKey === "" ? words : words.replaceAll(apiKey, "[key]");
  // Providers display keys by their first and last characters.
  const masked = safe.replace(/\b(sk|key|api|Bearer)[-_ ][\w*.-]{6,}/gi, "[key]");
  return makeStorable(masked.replace(/\s+/g, " ").trim().slice(0, quotedMax).replace(/\.$/, ""));
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
