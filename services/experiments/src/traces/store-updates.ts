// Two statements for a batch of new traces, whatever its size, and three more for traces that are stored already. What is
// stored stays as it is: ingestion is idempotent.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { Trace, TraceStep } from "@ems/proto/experiments/v1/trace_service";
import { answerBytesMax, traceStepsMax } from "@ems/proto/limits";
import { TraceEntity, TraceStepEntity, type TraceStepRow } from "./entity.ts";
import { stepRow, traceRow } from "./rows.ts";
import { lockTraces, type StoredTrace, stepKey, storedSteps, storedTraces } from "./stored.ts";
import {
  type Rejection,
  stepBytes,
  type TraceUpdate,
  tooManySteps,
  traceBytes,
  traceTooLarge,
} from "./trace-update.ts";

/** The id of the update's trace, or of its step when it has no trace of its own. */
export type UpdateResult = { readonly id: string } | Rejection;

/** Stores the updates and answers a result for each, in their order; rejections pass through. */
export async function storeUpdates(
  tx: Transaction,
  tenant: Tenant,
  createdAt: Date,
  updates: readonly (TraceUpdate | Rejection)[],
): Promise<UpdateResult[]> {
  const { applicationId } = tenant;
  const measured = updates.map((update) => ("error" in update ? update : measure(update)));
  const accepted = measured.flatMap((update) => ("error" in update ? [] : [update]));

  const traceRows = tracesOf(accepted).map((trace) => traceRow(tenant, createdAt, trace));
  const inserted = await tx.insertReturning(TraceEntity, traceRows, ["traceId"], "ignore");
  const newIds = new Set(inserted.map(({ traceId }) => traceId));
  // Nobody else sees a new trace before the commit: it needs no lock and has no steps.
  const { traces, steps: stored } = await lockStored(
    tx,
    applicationId,
    accepted.filter(({ traceId }) => !newIds.has(traceId)),
  );
  for (const { traceId, id, size } of traceRows) {
    if (newIds.has(traceId)) traces.set(traceId, { id, steps: 0, bytes: size });
  }
  const newSteps: TraceStepRow[] = [];

  const results = measured.map((update): UpdateResult => {
    if ("error" in update) return update;
    const { traceId, trace, steps, requiresParent } = update;
    const target = traces.get(traceId);
    if (target === undefined) return { error: "Trace not found" };
    const isStored = (id: string) => stored.has(stepKey({ traceId, id }));
    const added = steps.filter(({ step }) => !isStored(step.id));
    const isOrphan = ({ parentId }: TraceStep) => parentId !== undefined && !isStored(parentId);
    if (requiresParent && added.some(({ step }) => isOrphan(step))) return { error: "Parent step not found" };
    const size = { steps: target.steps + added.length, bytes: target.bytes + totalBytes(added) };
    if (size.steps > traceStepsMax) return tooManySteps;
    if (size.bytes > answerBytesMax) return traceTooLarge;

    Object.assign(target, size);
    for (const { step, bytes } of added) {
      stored.add(stepKey({ traceId, id: step.id }));
      newSteps.push(stepRow({ applicationId, traceId, createdAt, size: bytes, position: newSteps.length }, step));
    }
    return { id: trace === undefined ? (steps[0]?.step.id ?? target.id) : target.id };
  });
  // A fixed order of rows prevents deadlocks between requests that share steps.
  await tx.insert(
    TraceStepEntity,
    newSteps.toSorted((a, b) => (stepKey(a) < stepKey(b) ? -1 : 1)),
    "ignore",
  );
  return results;
}

interface MeasuredUpdate extends Omit<TraceUpdate, "steps"> {
  readonly steps: readonly { readonly step: TraceStep; readonly bytes: number }[];
}

/** Rejects what exceeds the limits by itself, before it inserts a trace. */
function measure(update: TraceUpdate): MeasuredUpdate | Rejection {
  if (update.steps.length > traceStepsMax) return tooManySteps;
  const steps = update.steps.map((step) => ({ step, bytes: stepBytes(step) }));
  const bytes = totalBytes(steps) + (update.trace === undefined ? 0 : traceBytes(update.trace));
  return bytes > answerBytesMax ? traceTooLarge : { ...update, steps };
}

/** Locks the updates' traces that are stored, and reads them with the keys of the updates' steps and parents that are. */
async function lockStored(tx: Transaction, applicationId: string, updates: readonly MeasuredUpdate[]) {
  if (updates.length === 0) return { traces: new Map<string, StoredTrace>(), steps: new Set<string>() };
  const traceIds = [...new Set(updates.map(({ traceId }) => traceId))];
  // Statements of their own: their snapshots include what earlier lock holders committed.
  const [, traces, steps] = await Promise.all([
    lockTraces(tx, applicationId, traceIds),
    storedTraces(tx, applicationId, traceIds),
    storedSteps(tx, applicationId, referencedSteps(updates)),
  ]);
  return { traces, steps };
}

/** Every step of the updates, and every parent that one names. */
function referencedSteps(updates: readonly MeasuredUpdate[]): { traceId: string; id: string }[] {
  return updates.flatMap(({ traceId, steps }) =>
    steps.flatMap(({ step: { id, parentId } }) => [
      { traceId, id },
      ...(parentId === undefined ? [] : [{ traceId, id: parentId }]),
    ]),
  );
}

function totalBytes(steps: readonly { readonly bytes: number }[]): number {
  return steps.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Each trace once. A fixed order of rows prevents deadlocks between requests that share traces. */
function tracesOf(updates: readonly MeasuredUpdate[]): Trace[] {
  const byId = new Map<string, Trace>();
  for (const { traceId, trace } of updates) if (trace !== undefined && !byId.has(traceId)) byId.set(traceId, trace);
  return [...byId.values()].toSorted((a, b) => (a.traceId < b.traceId ? -1 : 1));
}
