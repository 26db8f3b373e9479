import type { Database } from "@ems/kit/db/database";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import type { Counts } from "./entity.ts";

const mine = "SELECT id, test_id, steps FROM experiments.trace WHERE application_id = $1 AND end_user_key = $2";

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

/** How much there is of the user. */
export async function countUser(
  { database, plans }: { readonly database: Database } & Pick<Deps, "plans">,
  call: Call,
  key: string,
): Promise<Counts> {
  const values = [call.tenant.applicationId, key];
  const [[found = {}], traces] = await Promise.all([
    database.read<Counts>(call, { text, values }),
    database.read<{ id: string }>(call, { text: `SELECT id FROM (${mine}) mine`, values }),
  ]);
  const tasks = new Set<string>();
  for (let from = 0; from < traces.length; from += askedMax) {
    const traceIds = traces.slice(from, from + askedMax).map(({ id }) => id);
    const { taskIds } = await plans.eraseTracedTasks({ traceIds, dryRun: true }, forward(call));
    for (const id of taskIds) tasks.add(id);
  }
  return { ...found, tasks: tasks.size };
}
