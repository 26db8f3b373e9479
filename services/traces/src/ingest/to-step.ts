// Pure: converts a step of an event, nested or not, to the stored form.

import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { toValue } from "@ems/kit/json/free-value";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { GetPrice } from "@ems/prices";
import type { IngestEvent, IngestStep } from "@ems/proto/experiments/v1/ingest_service";
import { type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { type Attachment, Extraction } from "../attachments/index.ts";
import { getPayloads, type SpanCall, type Tokens, usageMessage } from "../traces/index.ts";
import { isGiven, llmOutput, payloadText, structured } from "./payloads.ts";
import { readUsage } from "./step-usage.ts";

export type AnyStep = IngestEvent | IngestStep;

interface StepKey {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly timestamp: Timestamp;
}

/** Fields that only some kinds of steps have, with these kinds. */
const kindsByField = {
  finishReason: ["llm"],
  toolCallId: ["tool"],
  toolInput: ["tool"],
  toolOutput: ["tool"],
  query: ["retriever"],
  result: ["retriever"],
  content: ["log", "request", "response"],
  key: ["group"],
  guardrailAction: ["guardrail", "group"],
  guardrailTriggered: ["guardrail", "group"],
  guardrailType: ["guardrail", "group"],
  evaluationExplanation: ["evaluator"],
  evaluationLabel: ["evaluator"],
  evaluationScore: ["evaluator"],
  evaluatorName: ["evaluator"],
} as const satisfies Partial<Record<keyof IngestStep, readonly string[]>>;
const kinds = Object.entries(kindsByField) as [keyof typeof kindsByField, readonly string[]][];

/** Finds a field of the step that its kind cannot have. */
export function foreignField(step: AnyStep): { readonly field: string; readonly reason: string } | undefined {
  for (const [name, types] of kinds) {
    if (step[name] !== undefined && !types.includes(step.type)) {
      return { field: name, reason: `a ${step.type} step cannot have this field` };
    }
  }
  return undefined;
}

/** Fields that are stored unchanged. */
const plainFields = [
  "name",
  "statusCode",
  "error",
  "group",
  "modelId",
  "finishReason",
  "toolCallId",
  "key",
  "guardrailAction",
  "guardrailTriggered",
  "guardrailType",
  "evaluationLabel",
  "evaluationScore",
  "evaluatorName",
  "endTime",
] as const;

/** A step, with the origin of its cost if it was computed from prices. */
export interface PricedStep {
  readonly step: TraceStep;
  readonly call: SpanCall | undefined;
  readonly attachments: readonly Attachment[];
}

export function toStep(step: AnyStep, { traceId, id, parentId, timestamp }: StepKey, findPrice: GetPrice): PricedStep {
  const { type, status = "success", durationMs } = step;
  const stored = create(TraceStepSchema, { id, traceId, type, status });
  stored.timestamp = timestamp;
  if (parentId !== undefined) stored.parentId = parentId;
  const values: Record<string, unknown> = stored as never;
  for (const name of plainFields) if (step[name] !== undefined) values[name] = step[name];
  if (durationMs !== undefined) {
    stored.durationMs = BigInt(Math.round(durationMs));
    stored.durationUs = BigInt(Math.round(durationMs * 1_000));
  }
  const extraction = new Extraction();
  const [metadata, params] = [structured(step.metadata), structured(step.params)];
  if (metadata !== undefined) stored.metadata = toValue(extraction.value(metadata));
  if (params !== undefined) stored.params = toValue(extraction.value(params));
  const explanation = payloadText(step.evaluationExplanation);
  if (explanation !== undefined) stored.evaluationExplanation = explanation;
  const usage = readUsage(step);
  if (usage !== undefined) stored.usage = usageMessage(usage);
  setPayloads(stored, step, extraction);
  const event = step.event ?? (type === "llm" ? defaultEvent(stored) : undefined);
  if (event !== undefined) stored.event = event;
  const computed = step.costAmount === undefined ? getCost(stored, usage, findPrice) : undefined;
  const cost = step.costAmount ?? computed;
  if (cost !== undefined) stored.costAmount = cost;
  const call = computed === undefined ? undefined : ({ callId: null, isPriced: true } as const);
  return { step: stored, call, attachments: extraction.attachments };
}

/** Returns the event of a step without one: "end" for a step with only an output. */
function defaultEvent({ input, output }: TraceStep): string {
  return output !== undefined && input === undefined ? "end" : "start";
}

/** Sets input and output from the kind's own fields, or from the generic ones if those are absent. */
function setPayloads(stored: TraceStep, step: AnyStep, extraction: Extraction): void {
  const names = getPayloads(step.type);
  const payload = (name: "input" | "output") => {
    const own = step[names[name]];
    const text = payloadText(isGiven(own) ? own : step[name]);
    return text && extraction.text(text);
  };
  const [input, output] = [payload("input"), payload("output")];
  if (input !== undefined) stored[names.input] = input;
  if (output !== undefined) stored[names.output] = step.type === "llm" ? llmOutput(output) : output;
}

function getCost(
  { modelId, timestamp }: TraceStep,
  usage: Tokens | undefined,
  findPrice: GetPrice,
): number | undefined {
  if (modelId === undefined || usage === undefined || timestamp === undefined) return undefined;
  return findPrice(modelId, usage, dateFromTimestamp(timestamp));
}
