// Stores updates. New traces take two statements for any number of traces. Stored traces take four more, or at most
// six with model calls. Traces that name a test or are sampled take one more, and an archive takes one more. Of
// stored steps, only the counted usage of model calls changes, so ingestion is idempotent.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { ArrivalSource, Completion } from "../completion/index.ts";
import { type Arrival, queueSearch } from "../search/index.ts";
import { assertNotArchived } from "./archived-traces.ts";
import { TraceEntity, type TraceRow, TraceStepEntity } from "./entity.ts";
import { addMetadata } from "./filter.ts";
import {
  countCallsOnce,
  emptyTrace,
  type MeasuredUpdate,
  measure,
  merge,
  needsTrace,
  type SharedTraces,
  type Target,
  type UpdateResult,
} from "./merge.ts";
import { changeCounted, countedChanges, spansOfTraces, spansRelatedTo } from "./related-spans.ts";
import { mapInSlices, waitForTurn } from "./slices.ts";
import { changeStepDays, type StepChange, stepFacts } from "./step-days/index.ts";
import { lockTraces, stepKey, storedSteps, storedTraces } from "./stored.ts";
import { addSessions, deleteEmptySessions } from "./trace-sessions.ts";
import { type RedactedUpdate, traceExpired } from "./trace-update.ts";

export interface ArrivalContext {
  readonly now: Date;
  readonly source: ArrivalSource;
  readonly completion: Pick<Completion, "touch">;
  /** True if traces may be archived. */
  readonly hasArchive: boolean;
}

/**
 * Converts updates to their storable form and measures them, before the transaction that stores them. Lets other
 * requests have turns. Returns results unchanged.
 */
export function measureUpdates(
  applicationId: string,
  updates: readonly (RedactedUpdate | UpdateResult)[],
): Promise<(MeasuredUpdate | UpdateResult)[]> {
  const shared: SharedTraces = new Map();
  return mapInSlices(applicationId, updates, (update) => ("steps" in update ? measure(update, shared) : update));
}

/** Stores the updates and returns a result for each, in order. Returns results unchanged. */
export async function storeUpdates(
  tx: Transaction,
  tenant: Tenant,
  { now, source, completion, hasArchive }: ArrivalContext,
  measured: readonly (MeasuredUpdate | UpdateResult)[],
): Promise<UpdateResult[]> {
  const results: UpdateResult[] = measured.map((update) => ("steps" in update ? {} : update));
  const targets = new Map<string, Target>();
  const mergeAll = (findTarget: (update: MeasuredUpdate) => Target | undefined) => {
    for (const [index, update] of measured.entries()) {
      const target = "steps" in update ? findTarget(update) : undefined;
      if (target !== undefined) results[index] = merge(target, update as MeasuredUpdate, now);
    }
  };
  mergeAll((update) => {
    const target = targets.get(update.traceId) ?? createTarget(emptyTrace(tenant, update, now), true);
    targets.set(update.traceId, target);
    return target;
  });
  for (const target of targets.values()) countCallsOnce(target);

  // Sorted rows prevent deadlocks between requests that share traces.
  const rows = changedRows(targets);
  const inserted = await tx.insertReturning(TraceEntity, rows, ["id"], "ignore");
  const newIds = new Set(inserted.map(({ id }) => id));
  // A new trace is invisible to other transactions until the commit, so it needs no lock and has no stored steps.
  const conflicting = rows.filter(({ id }) => !newIds.has(id)).map(({ id }) => id);
  const earlierMetadata = new Map<string, TraceRow["metadata"]>();
  const tested = new Set<string>();
  const changes: StepChange[] = [];
  if (conflicting.length > 0) {
    const stored = await lockStored(tx, tenant.applicationId, conflicting, measured);
    for (const [id, { row }] of stored) earlierMetadata.set(id, row.metadata);
    for (const [id, { row }] of stored) if (row.testId !== null) tested.add(id);
    for (const [id, target] of stored) targets.set(id, target);
    mergeAll(({ traceId }) => stored.get(traceId));
    const expired = new Set(conflicting.filter((id) => !stored.has(id)));
    for (const id of expired) targets.delete(id);
    for (const [index, update] of measured.entries())
      if ("steps" in update && expired.has(update.traceId)) results[index] = traceExpired;
    for (const target of stored.values()) {
      const counted = countCallsOnce(target);
      changeCounted(tx, tenant.applicationId, counted);
      changes.push(...countedChanges(target.row.createdAt, target.storedSpans, counted));
    }
    const changed = changedRows(stored);
    await tx.insert(TraceEntity, changed, { key: ["applicationId", "id"], update: updatedColumns });
  }
  const steps = [...targets.values()].flatMap(({ newSteps }) => newSteps);
  await waitForTurn(tenant.applicationId, steps.length);
  await tx.insert(TraceStepEntity, steps);
  for (const { row, newSteps } of targets.values())
    for (const step of newSteps) changes.push({ createdAt: row.createdAt, after: stepFacts(step) });
  changeStepDays(tx, tenant, changes);
  const isMetadataNew = ({ id, metadata }: TraceRow) =>
    metadata !== earlierMetadata.get(id) && Object.keys(metadata).length > 0;
  const described = [...targets.values()].filter(({ row }) => isMetadataNew(row));
  addMetadata(
    tx,
    tenant.applicationId,
    described.map(({ row }) => row.id),
  );
  addSessions(
    tx,
    tenant,
    [...targets.values()].filter(({ isChanged }) => isChanged).map(({ row }) => row),
  );
  deleteEmptySessions(
    tx,
    tenant.applicationId,
    [...targets.values()].flatMap(({ leftSessions }) => [...leftSessions]),
  );
  queueSearch(tx, tenant, [...targets.values()].flatMap(toArrival));
  const withTrace = new Set(measured.flatMap((update) => ("steps" in update && update.trace ? update.traceId : [])));
  const arrivals = [...targets].flatMap(([traceId, { row, newSteps }]) => {
    const isTestNew = row.testId !== null && !tested.has(traceId);
    const arrival = { traceId, testId: row.testId, isTestNew, newSteps, hasTrace: withTrace.has(traceId) };
    // The continuation of an archived trace closes no test and is not judged.
    return row.continues === null ? [arrival] : [];
  });
  completion.touch(tx, tenant, source, arrivals);
  if (hasArchive)
    await assertNotArchived(
      tx,
      tenant.applicationId,
      rows.map(({ id }) => id),
    );
  return results;
}

function toArrival({ newSteps }: Target): Arrival[] {
  const [first] = newSteps;
  if (first === undefined) return [];
  const bytes = newSteps.reduce((sum, { size }) => sum + size, 0);
  return [{ traceId: first.traceId, position: first.position, bytes }];
}

/** Columns of a stored trace that later steps and events can change. */
const updatedColumns: readonly (keyof TraceRow)[] = [
  "referenceId",
  "testId",
  "timestamp",
  "type",
  "event",
  "rootAt",
  "isRootChild",
  "hasError",
  "steps",
  "bytes",
  "startedAt",
  "endedAt",
  "stepCount",
  "totalCost",
  "totalDurationMs",
  "startedUs",
  "endedUs",
  "durationUs",
  "totalPromptTokens",
  "totalCompletionTokens",
  "totalCachedTokens",
  "totalCacheWriteTokens",
  "totalReasoningTokens",
  "pricedSteps",
  "unpricedSteps",
  "holdsUsage",
  "pinned",
  "metadata",
  "evals",
  "endUser",
  "endUserKey",
  "service",
  "version",
  "environment",
  "serviceRank",
  "versionRank",
  "environmentRank",
  "session",
  "sessionId",
  "replacedCharacters",
  "modifiedAt",
];

function createTarget(row: TraceRow, isNew: boolean): Target {
  return { row, stepIds: new Set(), leftSessions: new Set(), storedSpans: [], newSteps: [], isNew, isChanged: false };
}

function changedRows(targets: ReadonlyMap<string, Target>): TraceRow[] {
  const changed = [...targets.values()].filter(({ isChanged }) => isChanged).map(({ row }) => row);
  return changed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Locks the traces, and reads them with those of the updates' steps that are already stored. */
async function lockStored(
  tx: Transaction,
  applicationId: string,
  traceIds: readonly string[],
  updates: readonly (MeasuredUpdate | UpdateResult)[],
): Promise<Map<string, Target>> {
  const ids = new Set(traceIds);
  const named = updates.flatMap((update) => {
    if (!("steps" in update) || !ids.has(update.traceId)) return [];
    return update.steps.map(({ content }) => ({ traceId: update.traceId, ...content }));
  });
  // A span that occurs several times in a request is one call.
  const namedCalls = [
    ...new Map(named.filter(({ callId }) => callId !== null).map((call) => [stepKey(call), call])).values(),
  ];
  // Separate statements, so that the snapshots include the commits of earlier lock holders.
  const [, rows, steps, related] = await Promise.all([
    lockTraces(tx, applicationId, traceIds),
    storedTraces(tx, applicationId, traceIds),
    storedSteps(tx, applicationId, named),
    spansRelatedTo(tx, applicationId, namedCalls),
  ]);
  // Usage of a step that is no model call counts where no step below it does, and a detached span may repeat any call of
  // the trace, so all steps of the trace matter.
  const holding = new Set(named.filter(({ callId, fields }) => callId !== null && needsTrace(fields)).map(byTrace));
  const whole = rows.filter(({ id, holdsUsage }) => holdsUsage || holding.has(id));
  const all = Map.groupBy(await spansOfTraces(tx, applicationId, whole), byTrace);
  const relatedByTrace = Map.groupBy(related, byTrace);
  const storedSpans = ({ id }: TraceRow) => all.get(id) ?? relatedByTrace.get(id) ?? [];
  const targets = new Map(rows.map((row) => [row.id, { ...createTarget(row, false), storedSpans: storedSpans(row) }]));
  for (const { traceId, id } of named) {
    if (steps.has(stepKey({ traceId, id }))) targets.get(traceId)?.stepIds.add(id);
  }
  return targets;
}

const byTrace = ({ traceId }: { readonly traceId: string }) => traceId;
