// Pure: converts an application's answer to a prompt into a trace event of the API.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { readValidated } from "@ems/kit/json/read-validated";
import { dateFromTimestamp, readInstant } from "@ems/kit/json/timestamp";
import { messageBytesMax } from "@ems/kit/limits/sizes";
import { tryReadJsonText } from "@ems/kit/readers";
import { type IngestEvent, IngestEventsRequestSchema } from "@ems/proto/experiments/v1/ingest_service";
import { readTokens, withoutAbsurdValues } from "./absurd-values.ts";

/** An application's answer to a prompt, from the body of its HTTP response. */
export interface PromptAnswer {
  readonly testId: string;
  /** Response body: JSON with `output` (text or object) and optional `traceId`, `steps` and `usage`. */
  readonly body: string;
  /** Prompt that was sent. */
  readonly prompt: JsonValue;
  readonly answeredAt: Date;
  readonly durationMs: number;
}

/** The same limits as for an API request that contains this event. */
const answerLimits = { values: 100_000, depth: jsonDepthMax, bytes: messageBytesMax };

/** Builds the trace event for the answer; undefined if the body is unusable. */
export function answerEvent({ testId, body, prompt, answeredAt, durationMs }: PromptAnswer): IngestEvent | undefined {
  const { output, traceId, steps: written = [], usage } = parsed(body) ?? {};
  if (typeof output !== "string" && !isObject(output)) return undefined;
  if (!Array.isArray(written)) return undefined;
  const steps = withoutAbsurdValues(written);
  const request = { type: "request", content: prompt, timestamp: answeredAt.getTime() - durationMs };
  // The response is always the last step, regardless of the times that the application sent for other steps.
  const response = { type: "response", content: output, timestamp: Math.max(answeredAt.getTime(), latest(steps)) };
  const event = {
    type: "trace",
    testId,
    ...(typeof traceId === "string" && { traceId }),
    timestamp: request.timestamp,
    steps: [request, ...steps, response],
    ...readTotals(usage, steps),
  };
  const { message, issues } = readValidated(IngestEventsRequestSchema, { events: [event] });
  const [read] = message.events;
  return issues.length > 0 || read?.rejected !== undefined ? undefined : read;
}

/** Returns the token totals of the answer, unless its steps have their own tokens. */
function readTotals(usage: JsonValue | undefined, steps: readonly JsonValue[]): JsonObject {
  if (!isObject(usage) || steps.some((step) => isObject(step) && (step.usage ?? step.tokens) != null)) return {};
  const promptTokens = readTokens("input_tokens", usage.promptTokens);
  const completionTokens = readTokens("output_tokens", usage.completionTokens);
  return {
    ...(promptTokens !== undefined && { totalPromptTokens: promptTokens }),
    ...(completionTokens !== undefined && { totalCompletionTokens: completionTokens }),
  };
}

function latest(steps: readonly JsonValue[]): number {
  let max = 0;
  for (const step of steps) {
    if (!isObject(step)) continue;
    const { timestamp } = step;
    const at = typeof timestamp === "string" || typeof timestamp === "number" ? readInstant(timestamp) : undefined;
    if (at !== undefined && !("unit" in at)) max = Math.max(max, dateFromTimestamp(at).getTime());
    if (Array.isArray(step.steps)) max = Math.max(max, latest(step.steps));
  }
  return max;
}

function parsed(body: string): JsonObject | undefined {
  const json = tryReadJsonText(body, answerLimits);
  return isObject(json) ? json : undefined;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !isExactNumber(json);
}
