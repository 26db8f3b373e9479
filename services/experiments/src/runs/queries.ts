import type { Transaction } from "@ems/kit/db/transaction";
import type { ResultStatusName, RunRow } from "./entity.ts";

/** The columns of RunRow, of `experiments.run r`. */
export const runColumns = `
  r.application_id AS "applicationId", r.id, r.org_id AS "orgId", r.type, r.status, r.title,
  r.created_at AS "createdAt", r.modified_at AS "modifiedAt"`;

/**
 * Adds tests of the status `status` to a run; undefined when the application has none of that id. A run is in progress
 * while one of its parts is, and failed when all are.
 */
export async function touchRun(
  tx: Transaction,
  applicationId: string,
  id: string,
  status: ResultStatusName,
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
