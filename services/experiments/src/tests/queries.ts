import { readBeside } from "@ems/kit/archive";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import {
  byTest,
  evaluationsStatement,
  findEvaluations,
  findTraces,
  loadReferences,
  traceIds,
  tracesStatement,
} from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";
import { test } from "./messages.ts";

/** Tests with their evaluations and traces, by one round trip to the database and one call to catalog. */
export async function fullTests(deps: Pick<Deps, "stores" | "references">, call: Call, rows: readonly TestRow[]) {
  if (rows.length === 0) return [];
  const statements = [evaluationsStatement(call, rows), tracesStatement(call, rows)];
  const [[evaluations = [], traces = []], loaded] = await Promise.all([
    readBeside(deps.stores, call, statements, (find) =>
      Promise.all([findEvaluations(find, rows), findTraces(find, rows)]),
    ),
    loadReferences(
      deps.references,
      call,
      rows.flatMap(({ definitionIds }) => definitionIds),
      rows.map(({ taskId }) => taskId),
    ),
  ]);
  const [evaluationsOf, traceOf] = [byTest(rows, evaluations), traceIds(traces)];
  return rows.map((row) => test(row, evaluationsOf.get(row.id) ?? [], loaded, traceOf.get(row.id)));
}
