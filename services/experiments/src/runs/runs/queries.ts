import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { RunEntity, type RunRow } from "./entity.ts";

/** Selects the columns of RunRow, for `experiments.run r`. */
export const runColumns = buildSelectList(RunEntity, "r");

/** Updates a run after tests were added: in progress while any test is in progress, failed if all tests failed. */
export async function addToRun(
  tx: Transaction,
  applicationId: string,
  id: string,
  status: RunRow["status"],
  now: Date,
): Promise<RunRow | undefined> {
  const [row] = await tx.query<RunRow>(
    `UPDATE experiments.run r SET modified_at = greatest(r.modified_at, $4), status = CASE
         WHEN 'IN_PROGRESS' IN (r.status, $3) THEN 'IN_PROGRESS' WHEN r.status = $3 THEN $3 ELSE 'COMPLETED' END
     WHERE r.application_id = $1 AND r.id = $2 RETURNING ${runColumns}`,
    [applicationId, id, status, now],
  );
  return row;
}

/** Locks a run until the transaction ends. Lock it before its tests, and before its variant's experiment. */
export async function lockRun(tx: Transaction, applicationId: string, id: string): Promise<RunRow | undefined> {
  const text = `SELECT ${runColumns} FROM experiments.run r WHERE r.application_id = $1 AND r.id = $2 FOR NO KEY UPDATE`;
  const [row] = await tx.query<RunRow>({ name: "lock-run", text, values: [applicationId, id] });
  return row;
}
