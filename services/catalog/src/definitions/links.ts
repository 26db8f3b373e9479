import type { Transaction } from "@ems/kit/db/transaction";

/** Links definitions to tasks or, without ids, to their application; true when any link is new. Key order prevents deadlocks. */
export async function insertLinks(
  tx: Transaction,
  to: "application" | "task",
  applicationId: string,
  definitionIds: readonly string[],
  ids?: readonly string[],
): Promise<boolean> {
  const columns = ids === undefined ? "definition_id" : `definition_id, ${to}_id`;
  const linked = ids === undefined ? "" : `, unnest($3::uuid[]) AS linked (${to}_id)`;
  const rows = await tx.query(
    `INSERT INTO catalog.eval_definition_${to} (application_id, ${columns})
     SELECT $1::uuid, ${columns} FROM unnest($2::uuid[]) AS definitions (definition_id)${linked}
     ORDER BY ${columns} ON CONFLICT DO NOTHING RETURNING 1`,
    ids === undefined ? [applicationId, definitionIds] : [applicationId, definitionIds, ids],
  );
  return rows.length > 0;
}
