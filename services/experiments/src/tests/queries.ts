import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { byTest, evaluationsStatement, loadReferences, traceIds, tracesStatement } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";
import { test } from "./messages.ts";

/** Tests with their evaluations and traces, by one round trip to the database and one call to catalog. */
export async function fullTests(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  rows: readonly TestRow[],
) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const statements = [evaluationsStatement(call, rows), tracesStatement(call, ids)];
  const [[evaluations, traces], loaded] = await Promise.all([
    database.readAll(call, statements),
    loadReferences(
      references,
      call,
      rows.flatMap(({ definitionIds }) => definitionIds),
      rows.map(({ taskId }) => taskId),
    ),
  ]);
  const [evaluationsOf, traceOf] = [byTest(rows, evaluations), traceIds(traces)];
  return rows.map((row) => test(row, evaluationsOf.get(row.id) ?? [], loaded, traceOf.get(row.id)));
}
