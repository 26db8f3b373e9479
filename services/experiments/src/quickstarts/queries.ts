import { columnsOf } from "@ems/kit/db/columns";
import type { Database, Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { QuickstartEntity, type QuickstartRow } from "./entity.ts";

const oneQuickstart = `SELECT ${columnsOf(QuickstartEntity, "q")} FROM experiments.quickstart q
  WHERE q.application_id = $1 AND q.id = $2`;

/** Reads a quickstart of the caller's application. */
export function quickstartById(call: Call, id: string): Statement {
  return { name: "get-quickstart", text: oneQuickstart, values: [call.tenant.applicationId, id] };
}

/** A quickstart of the caller's application. Quickstarts are never deleted, so it stays valid. */
export async function findQuickstart(database: Database, call: Call, id: string): Promise<QuickstartRow> {
  const [row] = await database.read<QuickstartRow>(call, quickstartById(call, id));
  if (row === undefined) throw notFound("Quickstart");
  return row;
}
