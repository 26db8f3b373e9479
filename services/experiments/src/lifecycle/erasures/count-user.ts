import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { tracesOfUser } from "../../traces/index.ts";
import type { Counts } from "./entity.ts";
import { added } from "./messages.ts";

const text = `
  SELECT (SELECT count(*)::integer FROM unnest($3::uuid[]) tests (id) CROSS JOIN LATERAL (SELECT FROM experiments.test t
      WHERE t.application_id = $1 AND t.id = tests.id LIMIT 1) one) AS tests,
    (SELECT count(*)::integer FROM unnest($3::uuid[]) tests (id) CROSS JOIN LATERAL (SELECT FROM experiments.evaluation e
      WHERE e.application_id = $1 AND e.test_id = tests.id OFFSET 0) one) AS evaluations,
    (SELECT count(*)::integer FROM experiments.human_annotation a
      WHERE a.application_id = $1 AND a.trace_id = ANY ($2::uuid[])) AS "humanAnnotations",
    (SELECT count(*)::integer FROM experiments.issue i WHERE i.application_id = $1
      AND (i.trace_id = ANY ($2::uuid[]) OR i.test_id = ANY ($3::uuid[]))) AS issues`;

/** Maximum number of traces per call that asks catalog for the tasks made from them. */
const tracesMax = 5_000;

const archivedResults = `SELECT (SELECT count() FROM test s WHERE s.id IN {ids:Array(UUID)}) AS tests,
  (SELECT count() FROM evaluation s WHERE s.test_id IN {ids:Array(UUID)}) AS evaluations`;

type CountDeps = Pick<Deps, "stores" | "plans">;

/** Counts the stored data of an end user. */
export async function countUser({ stores, plans }: CountDeps, call: Call, key: string): Promise<Counts> {
  const traces = await tracesOfUser(stores, call, key);
  const traceIds = traces.map(({ id }) => id);
  const testIds = [...new Set(traces.flatMap(({ testId }) => testId ?? []))];
  const statement = { text, values: [call.tenant.applicationId, traceIds, testIds] };
  const { found, archivedRanges } = await stores.read(call, ["results"], [statement]);
  const [own = {}] = (found[0] ?? []) as Counts[];
  const ofResults = { test: archivedRanges.results, evaluation: archivedRanges.results };
  const [results] = await stores.query<Counts>(call, ofResults, archivedResults, { ids: testIds });
  const tasks = new Set<string>();
  for (let from = 0; from < traceIds.length; from += tracesMax) {
    const chunk = traceIds.slice(from, from + tracesMax);
    const { taskIds } = await plans.eraseTracedTasks({ traceIds: chunk, dryRun: true }, forward(call));
    for (const id of taskIds) tasks.add(id);
  }
  const more = { tests: Number(results?.tests ?? 0), evaluations: Number(results?.evaluations ?? 0) };
  const steps = traces.reduce((sum, trace) => sum + trace.steps, 0);
  return { ...added(own, more), traces: traces.length, steps, tasks: tasks.size };
}
