import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import type { Counts } from "./entity.ts";
import { added } from "./messages.ts";

interface UserTrace {
  readonly id: string;
  readonly test_id: string | null;
  readonly steps: number;
}

/** `$3` has those of the archive. */
const mine = `SELECT id, test_id, steps FROM experiments.trace WHERE application_id = $1 AND end_user_key = $2
  UNION SELECT id, test_id, steps FROM json_to_recordset($3) d (id uuid, test_id uuid, steps integer)`;

const text = `
  WITH mine AS MATERIALIZED (${mine}), tests AS MATERIALIZED (SELECT DISTINCT test_id AS id FROM mine WHERE test_id IS NOT NULL)
  SELECT (SELECT count(*)::integer FROM mine) AS traces,
    (SELECT coalesce(sum(steps), 0)::float8 FROM mine) AS steps,
    (SELECT count(*)::integer FROM tests CROSS JOIN LATERAL (SELECT FROM experiments.test t
      WHERE t.application_id = $1 AND t.id = tests.id LIMIT 1) one) AS tests,
    (SELECT count(*)::integer FROM tests CROSS JOIN LATERAL (SELECT FROM experiments.evaluation e
      WHERE e.application_id = $1 AND e.test_id = tests.id OFFSET 0) one) AS evaluations,
    (SELECT count(*)::integer FROM experiments.human_annotation a
      WHERE a.application_id = $1 AND a.trace_id IN (SELECT id FROM mine)) AS "humanAnnotations",
    (SELECT count(*)::integer FROM experiments.issue i WHERE i.application_id = $1
      AND (i.trace_id IN (SELECT id FROM mine) OR i.test_id IN (SELECT id FROM tests))) AS issues`;

/** Traces of which catalog says in one call which tasks were made of them. */
const askedMax = 5_000;

const archivedTraces = `SELECT s.id AS id, s.test_id AS test_id, s.steps AS steps FROM trace s
  WHERE s.end_user_key = {key:UUID}`;
const archivedResults = `SELECT (SELECT count() FROM test s WHERE s.id IN {ids:Array(UUID)}) AS tests,
  (SELECT count() FROM evaluation s WHERE s.test_id IN {ids:Array(UUID)}) AS evaluations`;

type CountDeps = Pick<Deps, "stores" | "plans">;

/** How much there is of the user. */
export async function countUser({ stores, plans }: CountDeps, call: Call, key: string): Promise<Counts> {
  const { extents } = await stores.read(call, ["traces", "results"], []);
  const archived = await stores.query<UserTrace>(call, { trace: extents.traces }, archivedTraces, { key });
  const values = [call.tenant.applicationId, key, JSON.stringify(archived)];
  const [[found = {}], traces] = await Promise.all([
    stores.database.read<Counts>(call, { text, values }),
    stores.database.read<UserTrace>(call, { text: `SELECT id, test_id FROM (${mine}) mine`, values }),
  ]);
  const ids = [...new Set(traces.flatMap((trace) => trace.test_id ?? []))];
  const ofResults = { test: extents.results, evaluation: extents.results };
  const [results] = await stores.query<Counts>(call, ofResults, archivedResults, { ids });
  const tasks = new Set<string>();
  for (let from = 0; from < traces.length; from += askedMax) {
    const traceIds = traces.slice(from, from + askedMax).map(({ id }) => id);
    const { taskIds } = await plans.eraseTracedTasks({ traceIds, dryRun: true }, forward(call));
    for (const id of taskIds) tasks.add(id);
  }
  const more = { tests: Number(results?.tests ?? 0), evaluations: Number(results?.evaluations ?? 0) };
  return { ...added(found, more), tasks: tasks.size };
}
