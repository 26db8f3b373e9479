// Finds traces to annotate: those of the newest results in PostgreSQL that are neither annotated nor queued.

import type { Stores } from "@ems/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { queueItemDays } from "@ems/proto/limits";
import { findTraces, latestTraceIds, type TraceOfTest, tracesOfTests } from "../../traces/index.ts";
import type { CandidateRow } from "./rows.ts";

const dayMs = 86_400_000;

/** A result. `traceId` is the trace that closed its test; `annotated` lists annotated traces that name the test. */
export interface ResultRow extends Omit<CandidateRow, "traceId"> {
  readonly createdAt: Date;
  readonly traceId: string | null;
  readonly annotated: readonly string[];
}

/** Selects the columns of ResultRow, from evaluation `e` and its test `t`. */
export const resultColumns = `t.trace_id AS "traceId", e.test_id AS "testId", e.task_id AS "taskId", e.topic_id AS "topicId",
    e.created_at AS "createdAt", ARRAY(SELECT h.trace_id FROM experiments.human_annotation h
      WHERE h.application_id = $1 AND h.test_id = e.test_id AND h.definition_id = e.definition_id) AS annotated`;

// Adding an item repeatedly updates its `created_at`.
const waiting = `SELECT DISTINCT i.trace_id AS id FROM experiments.human_annotation_queue_item i
  WHERE i.application_id = $1 AND i.created_at >= $3 AND i.completed_at IS NULL AND i.expires_at > $2
    AND i.definition_id = $4`;

/** Builds the statement that selects the ids of traces waiting in a queue for review by the definition. */
export const waitingStatement = (applicationId: string, definitionId: string, now: Date): Statement => ({
  name: "calibration-waiting",
  text: waiting,
  values: [applicationId, now, new Date(now.getTime() - queueItemDays * dayMs), definitionId],
});

/**
 * Returns the results with the trace to annotate, unless it is in `excluded`: the trace that closed the test, else the
 * latest one that names the test.
 */
export async function findCandidates(
  stores: Stores,
  call: Call,
  results: readonly ResultRow[],
  excluded: ReadonlySet<string>,
): Promise<CandidateRow[]> {
  const [traces, latest] = await Promise.all([
    findTraces(stores, call, [...new Set(results.flatMap((row) => row.traceId ?? []))]),
    readLatest(
      stores,
      call,
      results.filter(({ traceId }) => traceId === null),
    ),
  ]);
  return results.flatMap(({ createdAt: _, annotated, traceId: closing, ...row }) => {
    const closed = closing === null ? undefined : traces.get(closing);
    const isOfTest = closed?.state === "stored" && closed.testId === row.testId;
    const traceId = closing === null ? latest.get(row.testId) : isOfTest ? closing : undefined;
    return traceId === undefined || excluded.has(traceId) || annotated.includes(traceId) ? [] : { ...row, traceId };
  });
}

/** Looks up the latest traces of tests. Archived traces are skipped, because they cannot be annotated. */
async function readLatest(stores: Stores, call: Call, rows: readonly ResultRow[]) {
  if (rows.length === 0) return new Map<string, string>();
  const tests = rows.map(({ testId: id, createdAt }) => ({ id, createdAt }));
  return latestTraceIds(await stores.database.read<TraceOfTest>(call, tracesOfTests(call, tests).own));
}
