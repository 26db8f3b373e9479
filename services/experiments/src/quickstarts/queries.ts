import type { Database, Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { QuickstartRow } from "./entity.ts";

/** The columns of QuickstartRow, of `experiments.quickstart q`. */
export const quickstartColumns = `
  q.application_id AS "applicationId", q.id, q.org_id AS "orgId", q.title, q.description,
  q.created_at AS "createdAt", q.modified_at AS "modifiedAt"`;

const oneQuickstart = `SELECT ${quickstartColumns} FROM experiments.quickstart q
  WHERE q.application_id = $1 AND q.id = $2`;

/** Reads a quickstart of the caller's application. */
export function quickstartById(call: Call, id: string): Statement {
  return { name: "get-quickstart", text: oneQuickstart, values: [call.tenant.applicationId, id] };
}

/** A quickstart of the caller's application. Quickstarts are never deleted: one that is found stays. */
export async function findQuickstart(database: Database, call: Call, id: string): Promise<QuickstartRow> {
  const [row] = await database.read<QuickstartRow>(call, quickstartById(call, id));
  if (row === undefined) throw notFound("Quickstart");
  return row;
}
