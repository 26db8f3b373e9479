// Pure: merges an update into the row of a new or stored trace.

import type { StorableJson, StorableObject } from "@ems/kit/readers";
import type { Tenant } from "@ems/kit/tenant";
import { stepBytesMax, traceBytesMax, traceStepsMax } from "@ems/proto/limits";
import { type CountedSpan, callFields, countCalls, type OwnConsumption } from "./count-calls.ts";
import { readFacts } from "./detached-calls.ts";
import { findEndUser } from "./end-user.ts";
import type { StepFields, TraceRow, TraceStepRow } from "./entity.ts";
import { getMonth } from "./month.ts";
import { fillOrigin } from "./origin.ts";
import type { StoredSpan } from "./related-spans.ts";
import { countReplaced } from "./replaced-characters.ts";
import { findSession, ownSession, replacesSession, sessionName } from "./session.ts";
import { stepContent } from "./step-row.ts";
import {
  addSteps,
  changeConsumption,
  giveTotals,
  type MeasuredStep,
  pinnedSession,
  pinnedTimestamp,
  pinnedUser,
} from "./totals.ts";
import {
  areEvalsTooLarge,
  isMetadataTooLarge,
  type RedactedUpdate,
  type Rejection,
  type StorableTraceData,
  stepTooLarge,
  storableTraceData,
  type TraceData,
  type TraceIds,
  tooManySteps,
  traceTooLarge,
} from "./trace-update.ts";

export interface MeasuredUpdate extends Omit<RedactedUpdate, "steps" | "trace" | "isRedacted"> {
  readonly trace: StorableTraceData | undefined;
  readonly steps: readonly MeasuredStep[];
}

/** Storable data of traces, which several updates of a request share. */
export type SharedTraces = Map<TraceData, StorableTraceData>;

/** Converts an update to its storable form; rejects an update that alone exceeds the limits. */
export function measure(update: Omit<RedactedUpdate, "isRedacted">, shared: SharedTraces): MeasuredUpdate | Rejection {
  const { traceId } = update;
  if (update.steps.length > traceStepsMax) return tooManySteps;
  const steps = update.steps.map((step) => ({ step, content: stepContent(traceId, step, update.calls?.get(step.id)) }));
  if (steps.some(({ content }) => content.size > stepBytesMax)) return stepTooLarge;
  if (update.trace === undefined) return { ...update, trace: undefined, steps };
  const trace = shared.get(update.trace) ?? storableTraceData(update.trace);
  shared.set(update.trace, trace);
  return { ...update, trace, steps };
}

/** A trace during a request that adds to it. */
export interface Target {
  readonly row: TraceRow;
  /** Ids of those steps in the request that the trace already has. */
  readonly stepIds: Set<string>;
  /** Stored spans that are related to spans in the request. */
  readonly storedSpans: readonly StoredSpan[];
  readonly newSteps: TraceStepRow[];
  /** Sessions that the trace had before, and which may have no other trace. */
  readonly leftSessions: Set<string>;
  /** True until the first update has created the trace. */
  isNew: boolean;
  /** True if the row must be written. */
  isChanged: boolean;
}

/** Result of an update; contains the trace's id if the update has trace data or created the trace. */
export type UpdateResult = { readonly id?: string } | Rejection;

/** Merges an update into the trace completely, or not at all. */
export function merge(target: Target, update: MeasuredUpdate, now: Date): UpdateResult {
  const { row, stepIds, newSteps } = target;
  const added = update.steps.filter(({ content }) => !stepIds.has(content.id));
  if (row.steps + added.length > traceStepsMax) return tooManySteps;
  if (row.bytes + added.reduce((sum, { content }) => sum + content.size, 0) > traceBytesMax) return traceTooLarge;

  const { isNew } = target;
  target.isNew = false;
  const { applicationId, id: traceId, createdAt } = row;
  const month = getMonth(createdAt);
  for (const [index, { content }] of added.entries()) {
    stepIds.add(content.id);
    newSteps.push({ applicationId, traceId, month, position: row.steps + index, ...content });
  }
  if (added.length > 0) addSteps(row, added);
  const { sessionId } = row;
  const isNamed = update.ids !== undefined && setIds(row, update.ids);
  const isFilled = update.trace !== undefined && fill(row, update.trace);
  if (sessionId !== null && sessionId !== row.sessionId) target.leftSessions.add(sessionId);
  if (added.length > 0 || isNamed || isFilled || isNew) {
    target.isChanged = true;
    row.modifiedAt = now;
  }
  return update.trace === undefined && !isNew && row.continues === null ? {} : { id: traceId };
}

/** Counts each model call once, after all updates are merged. Returns the stored spans that change. */
export function countCallsOnce({ row, newSteps, storedSpans }: Target): StoredSpan[] {
  if (newSteps.length === 0) return [];
  row.holdsUsage ||= newSteps.some(({ callId, fields }) => callId !== null && needsTrace(fields));
  if (!row.holdsUsage && newSteps.every(({ callId }) => callId === null)) return [];
  const added = new Map(newSteps.map((step) => [step.id, { span: newSpan(step), step }]));
  const stored = new Map(storedSpans.map((span) => [span.id, span]));
  const changed = countCalls([...stored.values(), ...[...added.values()].map(({ span }) => span)]);
  const before = changed.map(({ id }) => (added.get(id)?.span ?? stored.get(id))?.counted ?? {});
  const after = changed.map(({ counted }) => counted);
  changeConsumption(row, before, after);
  return changed.flatMap(({ counted, id }) => {
    const [step, span] = [added.get(id)?.step, stored.get(id)];
    if (step === undefined) return span === undefined ? [] : { ...span, counted };
    const { usage: _usage, costAmount: _costAmount, isUnpriced: _isUnpriced, ...fields } = step.fields;
    step.fields = { ...fields, ...callFields(counted) };
    return [];
  });
}

function newSpan({ id, parentId, callId, fields, timestamp }: TraceStepRow): CountedSpan {
  if (callId === null) return { id, parentId, callId, own: {}, counted: {} };
  // Safe cast: stepContent sets the field to this type.
  const own = fields.own as OwnConsumption;
  const counted = { usage: own.usage, costAmount: own.costAmount };
  return { id, parentId, callId, own, counted, ...readFacts(timestamp, fields.endTime, fields.modelId) };
}

/** Returns true for a span whose count depends on all spans of the trace (count-calls.ts). */
export function needsTrace({ own }: StepFields): boolean {
  const { isCall, isDetached } = (own ?? {}) as OwnConsumption;
  return isCall === false || isDetached === true;
}

/** Returns the row that a trace has before its first update. */
export function emptyTrace(
  { applicationId, orgId }: Tenant,
  { traceId: id, continues = null }: { readonly traceId: string; readonly continues?: string | null },
  now: Date,
): TraceRow {
  return {
    applicationId,
    id,
    earlierId: null,
    continues,
    orgId,
    referenceId: null,
    testId: null,
    timestamp: now,
    type: "group",
    event: null,
    rootAt: null,
    isRootChild: false,
    hasError: false,
    steps: 0,
    bytes: 0,
    startedAt: null,
    endedAt: null,
    stepCount: 0,
    totalCost: 0,
    totalDurationMs: "0",
    startedUs: null,
    endedUs: null,
    durationUs: "0",
    totalPromptTokens: "0",
    totalCompletionTokens: "0",
    totalCachedTokens: "0",
    totalCacheWriteTokens: "0",
    totalReasoningTokens: "0",
    pricedSteps: 0,
    unpricedSteps: 0,
    holdsUsage: false,
    pinned: 0,
    metadata: {},
    evals: null,
    endUser: null,
    endUserKey: null,
    service: null,
    version: null,
    environment: null,
    serviceRank: null,
    versionRank: null,
    environmentRank: null,
    session: null,
    sessionId: null,
    replacedCharacters: 0,
    createdAt: now,
    modifiedAt: now,
  };
}

/** Sets ids that paths found, once, and returns true if the row changed. */
function setIds(row: TraceRow, { session, endUser }: TraceIds): boolean {
  const { pinned } = row;
  if (session !== undefined && (pinned & pinnedSession) === 0)
    Object.assign(row, { session: session.externalId, sessionId: session.id, pinned: row.pinned | pinnedSession });
  if (endUser !== undefined && (pinned & pinnedUser) === 0)
    Object.assign(row, { endUser: endUser.id, endUserKey: endUser.key, pinned: row.pinned | pinnedUser });
  return row.pinned !== pinned;
}

/** Sets the row's missing fields, and returns true if the row changed. */
function fill(row: TraceRow, trace: StorableTraceData): boolean {
  const {
    timestamp,
    referenceId,
    testId,
    metadata,
    endUser,
    origin,
    session,
    evals = [],
    totals = {},
    replacedCharacters,
  } = trace;
  let isChanged = giveTotals(row, totals);
  if (origin !== undefined && fillOrigin(row, origin)) isChanged = true;
  const set = (change: Partial<TraceRow>) => {
    Object.assign(row, change);
    isChanged = true;
  };
  if (referenceId !== undefined && row.referenceId === null) set({ referenceId });
  if (testId !== undefined && row.testId === null) set({ testId });
  if (timestamp !== undefined && (row.pinned & pinnedTimestamp) === 0)
    set({ timestamp, pinned: row.pinned | pinnedTimestamp });
  const user = endUser ?? (metadata && findEndUser(row.applicationId, metadata));
  if (user !== undefined && row.endUserKey === null) set({ endUser: user.id, endUserKey: user.key });
  const found = session ?? (metadata && findSession(row.applicationId, metadata));
  const replaces =
    (row.pinned & pinnedSession) === 0 && metadata !== undefined && replacesSession(row.metadata, metadata);
  if (found !== undefined && (row.sessionId === null || replaces))
    set({ session: found.externalId, sessionId: found.id });
  const merged = metadata && mergedMetadata(row.metadata, metadata);
  if (merged !== undefined) set({ metadata: merged });
  const ids = new Set(row.evals?.map(({ id }) => id));
  const newEvals = evals.filter(({ id }) => !ids.has(id));
  const allEvals = [...(row.evals ?? []), ...newEvals];
  if (newEvals.length > 0 && !areEvalsTooLarge(allEvals)) set({ evals: allEvals });
  // Replaced characters count once: sending the same data a second time changes nothing.
  if (!isChanged) return false;
  row.replacedCharacters += replacedCharacters;
  countReplaced(replacedCharacters);
  return true;
}

type Metadata = StorableObject | StorableJson[];

/** Returns the merged metadata; undefined if nothing is added, or if the result would be too large. */
function mergedMetadata(stored: Metadata, added: Metadata): Metadata | undefined {
  if (Object.keys(added).length === 0) return undefined;
  if (Object.keys(stored).length === 0) return added;
  if (Array.isArray(stored) || Array.isArray(added)) return undefined;
  const session = ownSession(stored, added);
  if (session === undefined && Object.keys(added).every((key) => Object.hasOwn(stored, key))) return undefined;
  const merged = { ...added, ...stored, ...(session !== undefined && { [sessionName]: session }) };
  return isMetadataTooLarge(merged) ? undefined : merged;
}
