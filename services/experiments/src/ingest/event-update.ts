// Pure: finds what is wrong with an event by itself; storeUpdates judges what depends on stored rows.

import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { NewId } from "@ems/kit/id";
import { definedFields } from "@ems/kit/patch";
import type { IngestEvent, IngestStep } from "@ems/proto/experiments/v1/ingest_service";
import { TraceSchema, type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace_service";
import { traceMetadataBytesMax } from "@ems/proto/limits";
import { derivedId, metadataTooLarge, type Rejection, type TraceUpdate, traceBytes } from "../traces/index.ts";

export interface IngestContext {
  /** The timestamp of an event without one. */
  readonly now: Timestamp;
  readonly newId: NewId;
}

const stepFields = ["id", "parentId", "event", "name", "durationMs", "tokens", "input", "output"] as const;
const traceFields = ["referenceId", "testId"] as const;

export function updateOf(event: IngestEvent, context: IngestContext): TraceUpdate | Rejection {
  return event.type === "trace" ? traceUpdate(event, context) : stepUpdate(event, context);
}

function traceUpdate(event: IngestEvent, { now, newId }: IngestContext): TraceUpdate | Rejection {
  const surplus = stepFields.filter((field) => event[field] !== undefined);
  if (surplus.length > 0) return { error: `A trace has no ${surplus.join(", ")}: give them to its steps` };
  const { metadata = {}, referenceId, testId } = event;
  const timestamp = event.timestamp ?? event.steps.find((step) => step.timestamp !== undefined)?.timestamp ?? now;
  const traceId = event.traceId?.toLowerCase() ?? newId();
  const steps = flatten(event.steps, {
    timestamp,
    idOf: (step, index, parentId) =>
      event.traceId === undefined ? newId() : positionalId(step, index, traceId, parentId),
  });
  const duplicate = firstDuplicate(steps.map(({ id }) => id));
  if (duplicate !== undefined) return { error: `Two steps of the trace have the id ${duplicate}` };
  const trace = create(TraceSchema, {
    id: newId(),
    traceId,
    timestamp,
    metadata,
    ...definedFields({ referenceId, testId }),
  });
  if (traceBytes(trace) > traceMetadataBytesMax) return metadataTooLarge;
  return { traceId, trace, steps, requiresParent: false };
}

function stepUpdate(event: IngestEvent, { now, newId }: IngestContext): TraceUpdate | Rejection {
  const surplus: string[] = traceFields.filter((field) => event[field] !== undefined);
  if (event.steps.length > 0) surplus.push("steps");
  if (surplus.length > 0) return { error: `A single step has no ${surplus.join(", ")}: those are a trace's` };
  if (event.traceId === undefined) return { error: "A single step needs the traceId of its trace" };
  const id = event.id?.toLowerCase() ?? newId();
  const step = stepOf(event, id, event.parentId?.toLowerCase(), event.timestamp ?? now);
  return { traceId: event.traceId.toLowerCase(), steps: [step], requiresParent: true };
}

interface Flattening {
  /** The timestamp of a step without one. */
  readonly timestamp: Timestamp;
  /** The id of a step without one. */
  readonly idOf: (step: IngestStep, index: number, parentId: string | undefined) => string;
}

/** Parents before their children; each step names its parent. */
function flatten(nested: readonly IngestStep[], flattening: Flattening, parentId?: string): TraceStep[] {
  return nested.flatMap((step, index) => {
    const id = step.id?.toLowerCase() ?? flattening.idOf(step, index, parentId);
    const parent = stepOf(step, id, parentId, step.timestamp ?? flattening.timestamp);
    return [parent, ...flatten(step.steps, flattening, id)];
  });
}

/** The same for a retry of the event. Includes the step's own fields, so that another event of the trace gets others. */
function positionalId(step: IngestStep, index: number, traceId: string, parentId = ""): string {
  const { type, event = "", name = "", timestamp } = step;
  const at = timestamp === undefined ? "" : timestampMs(timestamp);
  return derivedId("step", traceId, parentId, index, type, event, name, at);
}

function stepOf(
  { type, event = "start", name = "", durationMs, tokens, input, output, metadata = {} }: IngestEvent | IngestStep,
  id: string,
  parentId: string | undefined,
  timestamp: Timestamp,
): TraceStep {
  return create(TraceStepSchema, {
    id,
    type,
    event,
    name,
    timestamp,
    tokens: { input: tokens?.input ?? 0n, output: tokens?.output ?? 0n },
    metadata,
    // Spelled out: a request has up to 10,000 steps.
    ...(parentId !== undefined && { parentId }),
    ...(durationMs !== undefined && { durationMs }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  });
}

function firstDuplicate(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}
