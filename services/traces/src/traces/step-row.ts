// Converts steps to rows and back. Both payloads have a column, whatever the kind of step calls them; the other fields
// are stored in one JSON object.

import { create, type JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { derivedId } from "@ems/kit/id";
import { fromValue, toValue } from "@ems/kit/json/free-value";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { definedFields } from "@ems/kit/patch";
import { makeJsonTextStorable, makeWrittenJsonStorable, type StorableObject } from "@ems/kit/readers";
import { type TraceStep, TraceStepSchema, type TraceUsage } from "@ems/proto/experiments/v1/trace";
import type { StepFields, TraceStepRow } from "./entity.ts";
import type { SpanCall } from "./trace-update.ts";
import { countTokens, storedTokens, type Tokens, writtenTokens } from "./usage.ts";

/** Names that a kind of step uses for its payloads. */
interface Payloads {
  readonly input: "input" | "toolInput" | "query" | "content";
  readonly output: "output" | "toolOutput" | "result";
  /** Payloads that a step of this kind must always have. */
  readonly required: readonly ("input" | "output")[];
}

const plain: Payloads = { input: "input", output: "output", required: [] };
const content: Payloads = { input: "content", output: "output", required: ["input"] };
const byType: Readonly<Record<string, Payloads>> = {
  tool: { input: "toolInput", output: "toolOutput", required: [] },
  retriever: { input: "query", output: "result", required: ["input", "output"] },
  log: content,
  request: content,
  response: content,
};

export function getPayloads(type: string): Payloads {
  return byType[type] ?? plain;
}

/** Fields with the same value in the row's JSON and in the message. */
const plainFields = [
  "name",
  "statusCode",
  "error",
  "costAmount",
  "group",
  "modelId",
  "finishReason",
  "toolCallId",
  "key",
  "guardrailAction",
  "guardrailTriggered",
  "guardrailType",
  "evaluationExplanation",
  "evaluationLabel",
  "evaluationScore",
  "evaluatorName",
] as const;

/** Fields of the row that do not depend on the step. */
export type StepContext = Pick<TraceStepRow, "applicationId" | "traceId" | "month" | "position">;
export type StepContent = Omit<TraceStepRow, keyof StepContext>;

/** Approximate size in bytes of the ids, columns and framing in a step's message. */
const frameBytes = 120;

export function stepContent(traceId: string, step: TraceStep, call?: SpanCall): StepContent {
  const names = getPayloads(step.type);
  const count = { replacedCharacters: Number(step.replacedCharacters ?? 0n) };
  const payload = (text: string | undefined) => (text === undefined ? null : makeJsonTextStorable(text, count));
  const input = payload(step[names.input] ?? step.input);
  const output = payload(step[names.output] ?? step.output);
  const received = toFields(step);
  const id = stepRowId(traceId, step.id);
  if (id !== step.id) received.id = step.id;
  let parentId: string | null = null;
  if (step.parentId !== undefined) {
    parentId = stepRowId(traceId, step.parentId);
    if (parentId !== step.parentId) received.parentId = step.parentId;
  }
  if (step.timestamp === undefined) throw new Error("a step has a timestamp");
  const written = JSON.stringify(received);
  const fields: StepFields = makeWrittenJsonStorable(received, written, count);
  if (count.replacedCharacters > 0) fields.replacedCharacters = count.replacedCharacters;
  const size = frameBytes + countBytes(input) + countBytes(output) + Buffer.byteLength(written);
  if (call !== undefined) fields.own = toOwn(step, call);
  if ((call?.callId ?? null) === null && isUnpriced(step)) fields.isUnpriced = true;
  return {
    id,
    parentId,
    timestamp: dateFromTimestamp(step.timestamp),
    size,
    // Safe cast: the API's validation and the table's check list the same values.
    type: step.type as TraceStepRow["type"],
    event: (step.event ?? null) as TraceStepRow["event"],
    input,
    output,
    fields,
    callId: call?.callId ?? null,
  };
}

/** Returns the consumption of the step itself, from which the counted one is decided (count-calls.ts). */
function toOwn(step: TraceStep, call: SpanCall): StorableObject {
  const { callId, isPriced, isCall, isSdk, isDetached, hourWriteTokens, provider } = call;
  const names = getPayloads(step.type);
  const texts = [step[names.input] ?? step.input, step[names.output] ?? step.output].filter(
    (text) => text !== undefined,
  );
  const usage = step.usage && writtenTokens({ ...toTokens(step.usage), hourWriteTokens });
  const computed = { isPriced: isPriced || undefined, provider };
  const own =
    callId === null
      ? computed
      : { usage, costAmount: step.costAmount, ...computed, isCall, isSdk, isDetached, texts: texts.length };
  // Safe cast: it contains only numbers, flags and a short name.
  return definedFields(own) as StorableObject;
}

const callTypes: readonly string[] = ["llm", "embedding", "reranker"];

/** Returns true for a model call without a known cost, unless it has only begun or failed without using tokens. */
function isUnpriced({ type, event, output, status, usage, costAmount }: TraceStep): boolean {
  if (costAmount !== undefined) return false;
  if (usage !== undefined && countTokens(toTokens(usage)) > 0) return true;
  if (!callTypes.includes(type) || status === "error" || status === "pending") return false;
  return type !== "llm" || event === "end" || output !== undefined;
}

function toTokens({
  promptTokens,
  completionTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
}: TraceUsage): Tokens {
  return {
    promptTokens: Number(promptTokens),
    completionTokens: Number(completionTokens),
    cachedTokens: Number(cachedTokens),
    cacheWriteTokens: Number(cacheWriteTokens),
    reasoningTokens: Number(reasoningTokens),
  };
}

function toFields(step: TraceStep): JsonObject {
  const fields: JsonObject = {};
  for (const name of plainFields) {
    const value = step[name];
    if (value !== undefined) fields[name] = value;
  }
  const { status, durationMs, durationUs, endTime, usage, metadata, params } = step;
  if (status !== "" && status !== "success") fields.status = status;
  if (durationMs !== undefined) fields.durationMs = Number(durationMs);
  if (durationUs !== undefined) fields.durationUs = Number(durationUs);
  if (endTime !== undefined) fields.endTime = dateFromTimestamp(endTime).getTime();
  if (usage !== undefined) {
    fields.usage = writtenTokens(toTokens(usage));
  }
  if (metadata !== undefined) fields.metadata = fromValue(metadata);
  if (params !== undefined) fields.params = fromValue(params);
  return fields;
}

function countBytes(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** A row with the columns of `stepColumns`. */
export type StoredStep = Pick<
  TraceStepRow,
  "traceId" | "id" | "parentId" | "timestamp" | "type" | "event" | "input" | "output" | "fields"
>;

export function traceStep(row: StoredStep): TraceStep {
  const { id, parentId, traceId, timestamp, type, event, fields } = row;
  const step = create(TraceStepSchema, { id: toText(fields.id) ?? id, traceId, type });
  step.timestamp = timestampFromDate(timestamp);
  step.status = toText(fields.status) ?? "success";
  if (parentId !== null) step.parentId = toText(fields.parentId) ?? parentId;
  if (event !== null) step.event = event;
  const values: Record<string, unknown> = step as never;
  for (const name of plainFields) if (fields[name] !== undefined) values[name] = fields[name];
  setPayloads(step, row);
  const { durationMs, durationUs, endTime, usage, metadata, params, replacedCharacters } = fields;
  if (typeof durationMs === "number") {
    step.durationMs = BigInt(durationMs);
    // Steps of older versions have only milliseconds.
    step.durationUs = typeof durationUs === "number" ? BigInt(durationUs) : step.durationMs * 1_000n;
  }
  if (typeof endTime === "number") step.endTime = timestampFromMs(endTime);
  if (typeof replacedCharacters === "number") step.replacedCharacters = BigInt(replacedCharacters);
  const tokens = storedTokens(usage);
  if (tokens !== undefined) step.usage = usageMessage(tokens);
  if (metadata !== undefined) step.metadata = toValue(metadata);
  if (params !== undefined) step.params = toValue(params);
  return step;
}

/** Sets the payloads, and those that the kind requires even if empty, for clients that validate responses. */
function setPayloads(step: TraceStep, { type, event, id, input, output }: StoredStep): void {
  const names = getPayloads(type);
  const isStart = type === "llm" && event !== "end";
  if (input !== null) step[names.input] = input;
  else if (names.required.includes("input") || isStart) step[names.input] = "";
  if (output !== null) step[names.output] = output;
  else if (names.required.includes("output")) step[names.output] = "";
  if (type === "llm") step.modelId ??= "";
  if (type === "group") step.key ??= id;
}

function toText(json: unknown): string | undefined {
  return typeof json === "string" ? json : undefined;
}

/** Builds the message for numbers of tokens. */
export function usageMessage(tokens: Tokens): TraceUsage {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = tokens;
  return {
    $typeName: "ems.experiments.v1.TraceUsage",
    promptTokens: BigInt(promptTokens),
    completionTokens: BigInt(completionTokens),
    cachedTokens: BigInt(cachedTokens),
    cacheWriteTokens: BigInt(cacheWriteTokens),
    reasoningTokens: BigInt(reasoningTokens),
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the key of a step's row: the step's id, or a UUID derived from it. */
export function stepRowId(traceId: string, id: string): string {
  return uuid.test(id) ? id : derivedId("step-id", traceId, id);
}
