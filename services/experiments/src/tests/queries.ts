import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { byTest, evaluationsStatement, loadReferences, traceIds, tracesStatement } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";
import { test } from "./messages.ts";

/** Tests with their evaluations and traces, by one round trip to the database and one call to catalog. */
export async function fullTests(deps: Pick<Deps, "stores" | "references">, call: Call, rows: readonly TestRow[]) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const statements = [evaluationsStatement(call, rows), tracesStatement(call, ids)];
  const readResults = async () => {
    const { found, dropped } = await deps.stores.read(call, ["results", "traces"], statements);
    return Promise.all([byTest(deps, call, rows, found[0], dropped), traceIds(deps, call, rows, found[1], dropped)]);
  };
  const [[evaluationsOf, traceOf], loaded] = await Promise.all([
    readResults(),
    loadReferences(
      deps.references,
      call,
      rows.flatMap(({ definitionIds }) => definitionIds),
      rows.map(({ taskId }) => taskId),
    ),
  ]);
  return rows.map((row) => test(row, evaluationsOf.get(row.id) ?? [], loaded, traceOf.get(row.id)));
}
