import { columnsOf } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { RunEntity, type RunRow } from "./entity.ts";

/** The columns of RunRow, of `experiments.run r`. */
export const runColumns = columnsOf(RunEntity, "r");

/** Updates a run by added tests of the status `status`: in progress while one of its tests is, failed when all are. */
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

/** A run, until the transaction ends: before its tests, and before the experiment whose variant it tests. */
export async function lockRun(tx: Transaction, applicationId: string, id: string): Promise<RunRow | undefined> {
  const text = `SELECT ${runColumns} FROM experiments.run r WHERE r.application_id = $1 AND r.id = $2 FOR NO KEY UPDATE`;
  const [row] = await tx.query<RunRow>({ name: "lock-run", text, values: [applicationId, id] });
  return row;
}
