import type { Call } from "@ems/kit/rpc/call";
import { loadReferences } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { latestTraceIds, tracesOfTests } from "../../traces/index.ts";
import { byTest, lookUpEvaluations } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";
import { test } from "./messages.ts";

/** Loads the evaluations and traces of tests, with one round trip to the database and one call to catalog. */
export async function fullTests(deps: Pick<Deps, "stores" | "references">, call: Call, rows: readonly TestRow[]) {
  if (rows.length === 0) return [];
  const [[evaluations, traces], loaded] = await Promise.all([
    deps.stores.lookUp(call, [lookUpEvaluations(call, rows), tracesOfTests(call, rows)]),
    loadReferences(
      deps.references,
      call,
      rows.flatMap(({ definitionIds }) => definitionIds),
      rows.map(({ taskId }) => taskId),
    ),
  ]);
  const [byId, traceByTest] = [byTest(rows, evaluations), latestTraceIds(traces)];
  return rows.map((row) => test(row, byId.get(row.id) ?? [], loaded, traceByTest.get(row.id)));
}
