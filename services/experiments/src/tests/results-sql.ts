// Results as they are written: a statement takes any number of rows, as arrays of columns, and adds them to the sums.

import type { Transaction } from "@ems/kit/db/transaction";
import { addTo, rollups } from "../rollups/index.ts";
import type { RunTypeName } from "../runs/index.ts";
import type { EvaluationDraft, TestDraft } from "./results.ts";

/** What all rows of a request have in common. */
export interface Recorded {
  readonly applicationId: string;
  readonly orgId: string;
  readonly runId: string;
  readonly runType: RunTypeName;
}

/** Makes the months that the tests need, if they are not there yet. Before anything else, since it may wait for others. */
export async function addMonths(tx: Transaction, tests: readonly TestDraft[]): Promise<void> {
  const days = new Set(tests.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)));
  await tx.query("SELECT experiments.add_months($1)", [[...days]]);
}

const insertTestsText = `
  WITH inserted AS (
    INSERT INTO experiments.test (application_id, org_id, run_id, run_type, id, created_at, task_id, topic_id, status,
      score_micro, passed, duration_ms, definition_ids)
    SELECT $1, $2, $3, $4, n.id, n.created_at, n.task_id, n.topic_id, n.status, n.score_micro, n.passed, n.duration_ms,
      n.definition_ids::uuid[]
    FROM unnest($5::uuid[], $6::timestamptz[], $7::uuid[], $8::uuid[], $9::text[], $10::bigint[], $11::boolean[],
        $12::integer[], $13::text[])
      AS n (id, created_at, task_id, topic_id, status, score_micro, passed, duration_ms, definition_ids)
    RETURNING *),
  stats AS (${addTo(rollups.taskStat, "inserted")})
  ${addTo(rollups.testDay, "inserted")}`;

export async function insertTests(tx: Transaction, recorded: Recorded, tests: readonly TestDraft[]) {
  const { applicationId, orgId, runId, runType } = recorded;
  await tx.query(insertTestsText, [
    ...[applicationId, orgId, runId, runType],
    tests.map(({ id }) => id),
    tests.map(({ createdAt }) => createdAt.toISOString()),
    tests.map(({ taskId }) => taskId),
    tests.map(({ topicId }) => topicId),
    tests.map(({ status }) => status),
    tests.map(({ scoreMicro }) => scoreMicro),
    tests.map(({ passed }) => passed),
    tests.map(({ durationMs }) => durationMs),
    // Arrays of different lengths are no array of PostgreSQL's: each comes as its text.
    tests.map(({ definitionIds }) => `{${definitionIds.join(",")}}`),
  ]);
}

const insertEvaluationsText = `
  WITH inserted AS (
    INSERT INTO experiments.evaluation (application_id, org_id, run_id, id, test_id, created_at, task_id, topic_id,
      definition_id, definition_type, status, score_micro, passed)
    SELECT $1, $2, $3, n.id, n.test_id, n.created_at, n.task_id, n.topic_id, n.definition_id, n.definition_type, n.status,
      n.score_micro, n.passed
    FROM unnest($4::uuid[], $5::uuid[], $6::timestamptz[], $7::uuid[], $8::uuid[], $9::uuid[], $10::text[], $11::text[],
        $12::bigint[], $13::boolean[])
      AS n (id, test_id, created_at, task_id, topic_id, definition_id, definition_type, status, score_micro, passed)
    RETURNING *)
  ${addTo(rollups.evaluationDay, "inserted")}`;

export async function insertEvaluations(
  tx: Transaction,
  { applicationId, orgId, runId }: Recorded,
  evaluations: readonly EvaluationDraft[],
) {
  if (evaluations.length === 0) return;
  await tx.query(insertEvaluationsText, [
    ...[applicationId, orgId, runId],
    evaluations.map(({ id }) => id),
    evaluations.map(({ test }) => test.id),
    evaluations.map(({ test }) => test.createdAt.toISOString()),
    evaluations.map(({ test }) => test.taskId),
    evaluations.map(({ test }) => test.topicId),
    evaluations.map(({ definitionId }) => definitionId),
    evaluations.map(({ definitionType }) => definitionType),
    evaluations.map(({ status }) => status),
    evaluations.map(({ scoreMicro }) => scoreMicro),
    evaluations.map(({ passed }) => passed),
  ]);
}
