import type { Transaction } from "@ems/kit/db/transaction";
import type { MonthlyRows } from "@ems/kit/retention";

/** Batch size: small enough that other transactions do not wait long for a lock or a connection. */
const testsMax = 1_000;

const within = (row: string) =>
  `${row}.application_id = $1 AND ${row}.created_at >= coalesce($3, '-infinity'::timestamptz)`;

// Evaluations have the creation time of their test, so this time also limits the evaluations.
export const lastOfBatch = `SELECT max(created_at) AS last FROM (SELECT t.created_at FROM experiments.test t
  WHERE t.created_at < $2 AND ${within("t")} ORDER BY t.created_at LIMIT ${testsMax}) batch`;
const deleteTests = `WITH deleted AS (
    DELETE FROM experiments.test t WHERE t.created_at <= $2 AND ${within("t")} RETURNING t.id
  ), ended AS (
    DELETE FROM experiments.test_execution x USING deleted d WHERE x.application_id = $1 AND x.test_id = d.id
  )
  SELECT count(*)::int AS deleted FROM deleted`;
const deleteEvaluations = `WITH deleted AS (
    DELETE FROM experiments.evaluation e WHERE e.created_at <= $2 AND ${within("e")} RETURNING 1
  ) SELECT count(*)::int AS deleted FROM deleted`;

/** Tests and their evaluations, partitioned by month; both count as deleted rows. */
export const monthlyResults: MonthlyRows = {
  schema: "experiments",
  kind: "results",
  root: "experiments.test",
  deleteSome: deleteOldResults,
};

async function deleteOldResults(tx: Transaction, applicationId: string, before: Date, from?: Date): Promise<number> {
  const [batch] = await tx.query<{ last: Date | null }>(lastOfBatch, [applicationId, before, from ?? null]);
  const last = batch?.last;
  if (last === null || last === undefined) return 0;
  const counts = await Promise.all(
    [deleteEvaluations, deleteTests].map((text) =>
      tx.query<{ deleted: number }>(text, [applicationId, last, from ?? null]),
    ),
  );
  return counts.flat().reduce((sum, { deleted }) => sum + deleted, 0);
}
