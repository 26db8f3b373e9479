// Applies the application's redaction rules to incoming traces.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { fromValue, toValue } from "@ems/kit/json/free-value";
import { truncateText } from "@ems/kit/json/issue-messages";
import { makeStorable } from "@ems/kit/readers";
import type { Redaction, Redactor } from "@ems/kit/redaction";
import type { TraceStep } from "@ems/proto/experiments/v1/trace";
import { originTextMax } from "@ems/proto/limits";
import { redactEvaluations } from "../external-evaluations/index.ts";
import { findIds, parsePaths, type StoredPaths } from "../trace-paths/index.ts";
import {
  areEvalsTooLarge,
  evalsTooLarge,
  findEndUser,
  findSession,
  isMetadataTooLarge,
  mapInSlices,
  metadataTooLarge,
  type Origin,
  type Ranked,
  type RedactedUpdate,
  type Rejection,
  type TraceData,
  type TraceIds,
  type TraceUpdate,
} from "../traces/index.ts";

type Updates = readonly (TraceUpdate | Rejection)[];

/**
 * Reads the ids that the application's paths find, and redacts the updates, in order; rejections are returned unchanged.
 */
export async function redactUpdates(
  redactor: Redactor | undefined,
  paths: StoredPaths,
  applicationId: string,
  received: Updates,
): Promise<(RedactedUpdate | Rejection)[]> {
  const updates = await withIds(applicationId, received, paths);
  if (redactor === undefined)
    return updates.map((update) => ("error" in update ? update : { ...update, isRedacted: true }));
  return redactor.redact(applicationId, "trace", (redaction) => redacted(redaction, applicationId, updates));
}

async function withIds(applicationId: string, updates: Updates, stored: StoredPaths): Promise<Updates> {
  const paths = parsePaths(stored);
  if (paths.session === undefined && paths.user === undefined) return updates;
  return mapInSlices(applicationId, updates, (update) => {
    const ids = "error" in update ? undefined : findIds(applicationId, update, paths);
    return ids === undefined ? update : { ...update, ids };
  });
}

function* redacted(
  redaction: Redaction,
  applicationId: string,
  updates: Updates,
): Generator<void, (RedactedUpdate | Rejection)[]> {
  /** Redacted data by trace: the spans of a trace share its data, which is redacted only once. */
  const traces = new Map<TraceData, TraceData | Rejection>();
  const results: (RedactedUpdate | Rejection)[] = [];
  for (const update of updates) {
    if ("error" in update) {
      results.push(update);
      continue;
    }
    for (const step of update.steps) yield* redactStep(redaction, step);
    const evaluations = update.evaluations && (yield* redactEvaluations(redaction, update.evaluations));
    const ids = update.ids && (yield* redactIds(redaction, update.ids));
    const redacted = { ...update, ...(evaluations && { evaluations }), ...(ids && { ids }), isRedacted: true } as const;
    if (update.trace === undefined) {
      results.push(redacted);
      continue;
    }
    const trace = traces.get(update.trace) ?? (yield* redactedTrace(redaction, applicationId, update.trace));
    traces.set(update.trace, trace);
    results.push("error" in trace ? trace : { ...redacted, trace });
  }
  return results;
}

/** Redacts a trace's data. The keys of its user and session are derived from their ids before redaction. */
function* redactedTrace(
  redaction: Redaction,
  applicationId: string,
  trace: TraceData,
): Generator<void, TraceData | Rejection> {
  const user = trace.endUser ?? (trace.metadata && findEndUser(applicationId, trace.metadata));
  const origin = trace.origin && (yield* redactedOrigin(redaction, trace.origin));
  const found = trace.session ?? (trace.metadata && findSession(applicationId, trace.metadata));
  const ids = yield* redactIds(redaction, { ...(user && { endUser: user }), ...(found && { session: found }) });
  const metadata = trace.metadata && (yield* redactedMetadata(redaction, trace.metadata));
  const evals: JsonObject[] = [];
  for (const evaluation of trace.evals ?? [])
    evals.push(yield* redactedFields(redaction, evaluation, unchangedOfEvals));
  if (metadata !== undefined && isMetadataTooLarge(metadata)) return metadataTooLarge;
  if (areEvalsTooLarge(evals)) return evalsTooLarge;
  const redacted = {
    ...(metadata && { metadata }),
    ...(origin && { origin }),
    ...ids,
  };
  return { ...trace, ...redacted, ...(trace.evals && { evals }) };
}

/** Redacts ids, but not the keys that are derived from them. */
function* redactIds(redaction: Redaction, { endUser, session }: TraceIds): Generator<void, TraceIds> {
  return {
    ...(endUser && { endUser: { ...endUser, id: makeStorable(yield* redaction.text(endUser.id)) } }),
    ...(session && { session: { ...session, externalId: makeStorable(yield* redaction.text(session.externalId)) } }),
  };
}

function* redactedOrigin(redaction: Redaction, origin: Origin): Generator<void, Origin> {
  const redacted: Record<string, Ranked> = {};
  for (const [field, { rank, value }] of Object.entries(origin))
    redacted[field] = { rank, value: value && truncateText(yield* redaction.text(value), originTextMax) };
  return redacted;
}

/** Ids in metadata that are not redacted, because they select live traffic to judge and link it to tests and tasks. */
const unchangedOfMetadata = new Set(["ems.test.id", "avido.test.id", "ems.task.id", "ems.topic.id"]);

/** Fields of evaluations that are not redacted: ids, numbers, times, and names that the team gave to definitions. */
const unchangedOfEvals = new Set(
  "id orgId definition definitionId status score passed createdAt modifiedAt testId taskId topicId runId".split(" "),
);

function* redactedMetadata(
  redaction: Redaction,
  metadata: JsonObject | JsonValue[],
): Generator<void, JsonObject | JsonValue[]> {
  if (!Array.isArray(metadata)) return yield* redactedFields(redaction, metadata, unchangedOfMetadata);
  const list: JsonValue[] = [];
  for (const item of metadata) list.push(yield* redaction.value(item));
  return list;
}

function* redactedFields(
  redaction: Redaction,
  json: JsonObject,
  unchanged: ReadonlySet<string>,
): Generator<void, JsonObject> {
  const entries: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(json))
    entries.push([name, unchanged.has(name) ? value : yield* redaction.value(value)]);
  return Object.fromEntries(entries);
}

/** Fields of steps to redact. Excluded are ids, keys, groups, the model, statuses and reasons to stop. */
// biome-ignore format: several in a line
const texts = [
  "name", "error", "input", "output", "toolInput", "toolOutput", "query", "result", "content",
  "guardrailAction", "guardrailType", "evaluationExplanation", "evaluationLabel",
] as const;

/** Redacts a step in place, since it was created for this request. */
function* redactStep(redaction: Redaction, step: TraceStep): Generator<void> {
  for (const name of texts) {
    const text = step[name];
    if (text !== undefined) step[name] = yield* redaction.text(text);
  }
  for (const name of ["metadata", "params"] as const) {
    const value = step[name];
    if (value !== undefined) step[name] = toValue(yield* redaction.value(fromValue(value)));
  }
}
