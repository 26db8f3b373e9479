import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { type QuickstartRow, quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity, type ContradictionRow } from "./entity.ts";

const oneContradiction = `SELECT ${buildSelectList(ContradictionEntity, "c")} FROM experiments.contradiction c
  WHERE c.application_id = $1 AND c.quickstart_id = $2 AND c.id = $3`;

/** Reads a quickstart of the caller's application and one of its contradictions. */
export async function readContradiction(
  database: Database,
  call: Call,
  { quickstartId, id }: { readonly quickstartId: string; readonly id: string },
): Promise<{ quickstart: QuickstartRow; contradiction: ContradictionRow }> {
  const [quickstarts, contradictions = []] = await database.readAll(call, [
    quickstartById.statement(call, quickstartId),
    { name: "get-contradiction", text: oneContradiction, values: [call.tenant.applicationId, quickstartId, id] },
  ]);
  const quickstart = quickstartById.only(quickstarts);
  // Safe cast: the row types match the statements' select lists.
  const [contradiction] = contradictions as ContradictionRow[];
  if (contradiction === undefined) throw notFound("Contradiction");
  return { quickstart, contradiction };
}
