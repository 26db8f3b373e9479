// Events of the product's own form into drafts. Pure: what is wrong with an event by itself is found here, what depends
// on other rows where drafts are stored.

import type { JsonObject } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { NewId } from "@ems/kit/id";
import type { IngestEvent, IngestStep } from "@ems/proto/experiments/v1/ingest_service";
import type { TraceStep } from "@ems/proto/experiments/v1/trace_service";
import {
  type Draft,
  derivedId,
  type Fault,
  metadataTooLarge,
  newStep,
  newTrace,
  traceBytes,
  traceMetadataBytesMax,
} from "../traces/index.ts";

export interface Ingestion {
  /** Stands where an event has no timestamp. */
  readonly now: Timestamp;
  readonly newId: NewId;
}

const ofSteps = ["id", "parentId", "event", "name", "durationMs", "tokens", "input", "output"] as const;
const ofTraces = ["referenceId", "testId"] as const;

export function draftOf(event: IngestEvent, ingestion: Ingestion): Draft | Fault {
  return event.type === "trace" ? wholeTrace(event, ingestion) : singleStep(event, ingestion);
}

function wholeTrace(event: IngestEvent, { now, newId }: Ingestion): Draft | Fault {
  const surplus = ofSteps.filter((field) => event[field] !== undefined);
  if (surplus.length > 0) return { error: `A trace has no ${surplus.join(", ")}: give them to its steps` };
  const { steps: nested, metadata = {}, referenceId, testId } = event;
  const timestamp = event.timestamp ?? nested.find((step) => step.timestamp !== undefined)?.timestamp ?? now;
  const traceId = event.traceId?.toLowerCase() ?? newId();
  const steps = flattened(nested, { traceId, timestamp, idOf: event.traceId === undefined ? newId : undefined });
  const twice = duplicate(steps.map(({ id }) => id));
  if (twice !== undefined) return { error: `Two steps of the trace have the id ${twice}` };
  const trace = newTrace({
    id: newId(),
    traceId,
    timestamp,
    metadata,
    ...(referenceId !== undefined && { referenceId }),
    ...(testId !== undefined && { testId }),
  });
  if (traceBytes(trace) > traceMetadataBytesMax) return metadataTooLarge;
  return { traceId, trace, steps, needsParent: false };
}

function singleStep(event: IngestEvent, { now, newId }: Ingestion): Draft | Fault {
  const surplus: string[] = ofTraces.filter((field) => event[field] !== undefined);
  if (event.steps.length > 0) surplus.push("steps");
  if (surplus.length > 0) return { error: `A single step has no ${surplus.join(", ")}: those are a trace's` };
  if (event.traceId === undefined) return { error: "A single step needs the traceId of its trace" };
  const id = event.id?.toLowerCase() ?? newId();
  const step = stepOf(event, { id, parentId: event.parentId?.toLowerCase(), timestamp: event.timestamp ?? now });
  return { traceId: event.traceId.toLowerCase(), steps: [step], needsParent: true };
}

interface Flattening {
  readonly traceId: string;
  /** Stands where a step has no timestamp. */
  readonly timestamp: Timestamp;
  /** Makes ids for steps without; undefined where the same event is to make the same ones again. */
  readonly idOf: NewId | undefined;
}

/** Nested steps side by side, parents first; each names its parent. */
function flattened(nested: readonly IngestStep[], how: Flattening, parentId?: string): TraceStep[] {
  return nested.flatMap((step, index) => {
    const id = step.id?.toLowerCase() ?? how.idOf?.() ?? placeId(step, index, how.traceId, parentId);
    const timestamp = step.timestamp ?? how.timestamp;
    return [stepOf(step, { id, parentId, timestamp }), ...flattened(step.steps, how, id)];
  });
}

/** From the place and from what tells steps apart, so that another event of the same trace does not hit upon it. */
function placeId(step: IngestStep, index: number, traceId: string, parentId = ""): string {
  const { type, event = "", name = "", timestamp } = step;
  const at = timestamp === undefined ? "" : timestampMs(timestamp);
  return derivedId("step", traceId, parentId, index, type, event, name, at);
}

interface Known {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly timestamp: Timestamp;
}

function stepOf(given: IngestEvent | IngestStep, { id, parentId, timestamp }: Known): TraceStep {
  const { type, event = "start", name = "", durationMs, tokens, input, output, metadata } = given;
  const noted: JsonObject = metadata ?? {};
  return newStep({
    id,
    ...(parentId !== undefined && { parentId }),
    type,
    event,
    name,
    timestamp,
    ...(durationMs !== undefined && { durationMs }),
    tokens: { input: tokens?.input ?? 0n, output: tokens?.output ?? 0n },
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    metadata: noted,
  });
}

function duplicate(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}
