import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { messageBytesMax } from "@ems/kit/limits/sizes";
import { tryReadJsonText } from "@ems/kit/readers";
import type { Redaction, Redactor } from "@ems/kit/redaction";

/**
 * Returns the JSON of an answer that can become a trace, which is an object with `output`. Any other body means that
 * the prompt was accepted without an answer.
 */
export function usableAnswer(body: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return answerIn(text) === undefined ? null : text;
  } catch {
    return null;
  }
}

/** The same limits as for a body in the API. The number of bytes is limited when the response is received. */
const answerLimits = { values: 100_000, depth: jsonDepthMax, bytes: messageBytesMax };

function answerIn(text: string): JsonObject | undefined {
  const answer = tryReadJsonText(text, answerLimits);
  const isAnswer = typeof answer === "object" && answer !== null && !Array.isArray(answer) && "output" in answer;
  return isAnswer ? answer : undefined;
}

/** Fields of steps that are not redacted: names, links, numbers and times. */
const unchangedOfSteps = new Set(
  (
    "id traceId parentId type event status statusCode timestamp startTime endTime durationMs modelId finishReason toolCallId group key " +
    "usage tokens costAmount guardrailTriggered evaluationScore evaluatorName"
  ).split(" "),
);

/** Redacts a body by the application's rules: an answer except for IDs and numbers, any other body as one text. */
export function redactedBody(redactor: Redactor, applicationId: string, body: Buffer): Promise<Buffer> {
  return redactor.redact(applicationId, "answer", function* (redaction) {
    const text = usableAnswer(body);
    const answer = text === null ? undefined : answerIn(text);
    if (answer === undefined) return Buffer.from(yield* redaction.text(body.toString()));
    const { traceId, usage, steps, ...rest } = answer;
    const unchanged = { ...(traceId !== undefined && { traceId }), ...(usage !== undefined && { usage }) };
    const redacted = {
      ...(yield* redactedFields(redaction, rest)),
      ...unchanged,
      ...(steps !== undefined && { steps: yield* redactedSteps(redaction, steps) }),
    };
    return Buffer.from(JSON.stringify(redacted));
  });
}

function* redactedSteps(redaction: Redaction, steps: JsonValue): Generator<void, JsonValue> {
  if (!Array.isArray(steps)) return yield* redaction.value(steps);
  const list: JsonValue[] = [];
  for (const step of steps) {
    if (typeof step !== "object" || step === null || Array.isArray(step)) list.push(yield* redaction.value(step));
    else list.push(yield* redactedFields(redaction, step, unchangedOfSteps));
  }
  return list;
}

function* redactedFields(
  redaction: Redaction,
  json: JsonObject,
  unchanged?: ReadonlySet<string>,
): Generator<void, JsonObject> {
  const entries: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(json)) {
    const isUnchanged = unchanged?.has(name) === true;
    if (unchanged !== undefined && name === "steps") entries.push([name, yield* redactedSteps(redaction, value)]);
    else entries.push([name, isUnchanged ? value : yield* redaction.value(value)]);
  }
  return Object.fromEntries(entries);
}
