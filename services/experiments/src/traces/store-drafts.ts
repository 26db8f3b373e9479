// Drafts into rows: a few statements for a whole request, however many events it has. What is stored already stays as it
// is, so that every request may be repeated.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { TraceStep } from "@ems/proto/experiments/v1/trace_service";
import {
  type Draft,
  type Fault,
  stepBytes,
  tooManySteps,
  traceBytes,
  traceBytesMax,
  traceStepsMax,
  traceTooLarge,
} from "./trace-draft.ts";
import {
  insertSteps,
  insertTraces,
  lockTraces,
  type StepToInsert,
  stepKey,
  storedSteps,
  storedTraces,
} from "./trace-sql.ts";

/** The id of the draft's trace, or of its step when it has no trace of its own. */
export type Outcome = { readonly id: string } | Fault;

/** Stores drafts and says of each, in their order, what became of it. Parts that are at fault are passed on as they are. */
export async function storeDrafts(
  tx: Transaction,
  tenant: Tenant,
  createdAt: Date,
  drafts: readonly (Draft | Fault)[],
): Promise<Outcome[]> {
  const { applicationId } = tenant;
  const sized = drafts.map((draft) => ("error" in draft ? draft : measured(draft)));
  const good = sized.flatMap((draft) => ("error" in draft ? [] : [draft]));

  await insertTraces(tx, tenant, createdAt, newTraces(good));
  const traceIds = good.map(({ traceId }) => traceId);
  // A statement of its own: the next one sees what those had stored who held the locks before.
  await lockTraces(tx, applicationId, traceIds);
  const traces = await storedTraces(tx, applicationId, traceIds);
  const known = await storedSteps(tx, applicationId, stepsNamed(good));
  const toInsert: StepToInsert[] = [];

  const outcomes = sized.map((draft): Outcome => {
    if ("error" in draft) return draft;
    const { traceId, trace, steps, needsParent } = draft;
    const stored = traces.get(traceId);
    if (stored === undefined) return { error: "Trace not found" };
    const fresh = steps.filter(({ step }) => !known.has(stepKey(traceId, step.id)));
    const isOrphan = ({ parentId }: TraceStep) => parentId !== undefined && !known.has(stepKey(traceId, parentId));
    if (needsParent && fresh.some(({ step }) => isOrphan(step))) return { error: "Parent step not found" };
    const room = { steps: stored.steps + fresh.length, bytes: stored.bytes + sizeOf(fresh) };
    if (room.steps > traceStepsMax) return tooManySteps;
    if (room.bytes > traceBytesMax) return traceTooLarge;

    Object.assign(stored, room);
    for (const { step, bytes } of fresh) {
      known.add(stepKey(traceId, step.id));
      toInsert.push({ traceId, step, bytes, position: toInsert.length });
    }
    return { id: trace === undefined ? (steps[0]?.step.id ?? stored.id) : stored.id };
  });
  await insertSteps(tx, applicationId, createdAt, toInsert);
  return outcomes;
}

interface MeasuredDraft extends Omit<Draft, "steps"> {
  readonly steps: readonly { readonly step: TraceStep; readonly bytes: number }[];
}

/** What is too large by itself makes no trace. */
function measured(draft: Draft): MeasuredDraft | Fault {
  if (draft.steps.length > traceStepsMax) return tooManySteps;
  const steps = draft.steps.map((step) => ({ step, bytes: stepBytes(step) }));
  const bytes = sizeOf(steps) + (draft.trace === undefined ? 0 : traceBytes(draft.trace));
  return bytes > traceBytesMax ? traceTooLarge : { ...draft, steps };
}

/** Every step that drafts have or name as a parent. */
function stepsNamed(drafts: readonly MeasuredDraft[]): { traceId: string; id: string }[] {
  return drafts.flatMap(({ traceId, steps }) =>
    steps.flatMap(({ step: { id, parentId } }) => [
      { traceId, id },
      ...(parentId === undefined ? [] : [{ traceId, id: parentId }]),
    ]),
  );
}

function sizeOf(steps: readonly { readonly bytes: number }[]): number {
  return steps.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** One for each trace, in the order of ids: requests that share traces wait for each other instead of locking up. */
function newTraces(drafts: readonly MeasuredDraft[]) {
  const byId = new Map<string, NonNullable<Draft["trace"]>>();
  for (const { traceId, trace } of drafts) if (trace !== undefined && !byId.has(traceId)) byId.set(traceId, trace);
  return [...byId.values()].toSorted((a, b) => (a.traceId < b.traceId ? -1 : 1));
}
