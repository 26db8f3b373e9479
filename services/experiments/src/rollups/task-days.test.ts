// Sums by task and day are what counting all rows gives, whatever is written in whatever way.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ownerDataSource } from "@ems/kit/db/data-source";
import { newId } from "@ems/kit/id";
import { type ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";
import { RollUpOlderTasks1763804200000, RollUpTasks1763804100000 } from "../migrations/1763804100000-roll-up-tasks.ts";
import { ExecuteTests1763830000000 } from "../migrations/1763830000000-execute-tests.ts";
import { ExecutionSettings1763831100000 } from "../migrations/1763831100000-execution-settings.ts";
import { experimentsSchema } from "../schema.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);
const { database } = harness;
const dayMs = 86_400_000;

const counted = "(status = 'FAILED' OR (status = 'COMPLETED' AND passed IS NOT NULL))";
const sums = (of: string) => `count(*) FILTER (WHERE ${counted}) AS ${of},
  count(*) FILTER (WHERE status = 'COMPLETED' AND passed) AS ${of}_passed`;
const score =
  "(CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN (score_micro / 1e6 - 1) / 4 ELSE score_micro / 1e6 END)";
const scores = `count(*) FILTER (WHERE ${counted} AND score_micro IS NOT NULL) AS scores,
  coalesce(round(sum(${score}) FILTER (WHERE ${counted}), 7), 0)::text AS sum,
  coalesce(round(sum(${score} * ${score}) FILTER (WHERE ${counted}), 7), 0)::text AS squares`;
const storedScores =
  "scores, round(score_sum * 0.00000025, 7)::text AS sum, round(score_squares * 0.0000000000000625, 7)::text AS squares";
const scoresOfTask = `sum(scores)::bigint AS scores, round(sum(score_sum) * 0.00000025, 7)::text AS sum,
  round(sum(score_squares) * 0.0000000000000625, 7)::text AS squares`;
const withRun = (
  table: string,
) => `(SELECT r.*, run.type = 'MONITORING' AS monitoring, (r.created_at AT TIME ZONE 'UTC')::date AS day
  FROM experiments.${table} r JOIN experiments.run ON run.id = r.run_id WHERE r.application_id = $1) r`;

/** What is stored of an application, and what its rows count to. */
async function stored(applicationId: string) {
  const rows = (text: string) => database.sql(text, [applicationId]);
  const [tests, evaluations, byDefinition] = await Promise.all([
    rows(`SELECT task_id, day, is_monitoring AS monitoring, tests, tests_passed FROM experiments.task_day
      WHERE application_id = $1 AND tests > 0 ORDER BY 1, 2, 3`),
    rows(`SELECT task_id, day, is_monitoring AS monitoring, sum(evaluations)::bigint AS evaluations,
        sum(evaluations_passed)::bigint AS evaluations_passed, ${scoresOfTask}
      FROM experiments.task_definition_day WHERE application_id = $1 GROUP BY 1, 2, 3 HAVING sum(evaluations) > 0 ORDER BY 1, 2, 3`),
    rows(`SELECT task_id, definition_id, day, is_monitoring AS monitoring, evaluations, evaluations_passed, ${storedScores}
      FROM experiments.task_definition_day WHERE application_id = $1 AND evaluations > 0 ORDER BY 1, 2, 3, 4`),
  ]);
  return { tests, evaluations, byDefinition };
}

async function countedFromRows(applicationId: string) {
  const rows = (text: string) => database.sql(text, [applicationId]);
  const [tests, evaluations, byDefinition] = await Promise.all([
    rows(`SELECT task_id, day, monitoring, ${sums("tests")} FROM ${withRun("test")}
      GROUP BY 1, 2, 3 HAVING count(*) FILTER (WHERE ${counted}) > 0 ORDER BY 1, 2, 3`),
    rows(`SELECT task_id, day, monitoring, ${sums("evaluations")}, ${scores} FROM ${withRun("evaluation")}
      GROUP BY 1, 2, 3 HAVING count(*) FILTER (WHERE ${counted}) > 0 ORDER BY 1, 2, 3`),
    rows(`SELECT task_id, definition_id, day, monitoring, ${sums("evaluations")}, ${scores} FROM ${withRun("evaluation")}
      GROUP BY 1, 2, 3, 4 HAVING count(*) FILTER (WHERE ${counted}) > 0 ORDER BY 1, 2, 3, 4`),
  ]);
  return { tests, evaluations, byDefinition };
}

test("results recorded at once leave exact sums", async () => {
  const tenant = testTenant();
  const [taskIds, definitionIds] = [
    [newId(), newId(), newId()],
    [newId(), newId()],
  ];
  const pick = <T>(values: readonly T[], at: number) => values[at % values.length] as T;
  const result = (at: number) => ({
    status: pick<ResultStatus>([3, 3, 3, 4, 1, 2], at),
    ...(at % 7 !== 0 && { passed: at % 3 !== 0 }),
    ...(at % 5 !== 0 && { score: pick([0, 0.1, 0.333333, 1, 5, -1e9, 1e9], at) }),
  });
  const newTest = (at: number) => ({
    taskId: pick(taskIds, at),
    createdAt: timestampFromDate(new Date(harness.clock.now().getTime() - (at % 11) * (dayMs / 3))),
    ...result(at),
    evaluations: Array.from({ length: at % 4 }, (_, of) => ({
      definitionId: pick(definitionIds, at + of),
      ...result(at + of + 1),
    })),
  });
  await Promise.all(
    [RunType.MANUAL, RunType.MONITORING, RunType.SCHEDULED, RunType.MONITORING].map((type, batch) => {
      const batchOf = Array.from({ length: 60 }, (_, at) => newTest(batch * 60 + at));
      return tests.recordResults({ run: { type }, tests: batchOf }, testCall(tenant));
    }),
  );
  const { applicationId } = tenant;
  const first = await countedFromRows(applicationId);
  expect(first.byDefinition.length).toBeGreaterThan(20);
  expect(await stored(applicationId)).toEqual(first);
});

test("a migration sums results that were there before, of every tenant, and those that come meanwhile", async () => {
  const tenants = [testTenant(), testTenant()];
  const fill = async () => {
    for (const { applicationId, orgId } of tenants) {
      const [runId, taskId, definitionId, testId] = [newId(), newId(), newId(), newId()];
      const values = [applicationId, runId, orgId, taskId, definitionId, testId];
      const at = "now() - interval '3 days'";
      await database.sql(`SELECT experiments.add_months(ARRAY[(${at})::date])`);
      await database.sql(
        `INSERT INTO experiments.run (application_id, id, org_id, type, status, created_at, modified_at)
         VALUES ($1, $2, $3, 'MONITORING', 'COMPLETED', ${at}, ${at})`,
        values.slice(0, 3),
      );
      await database.sql(
        `INSERT INTO experiments.test
           (application_id, id, created_at, task_id, run_id, org_id, run_type, status, passed, definition_ids)
         VALUES ($1, $6, ${at}, $4, $2, $3, 'MONITORING', 'COMPLETED', true, ARRAY[$5::uuid])`,
        values,
      );
      await database.sql(
        `INSERT INTO experiments.evaluation
           (application_id, id, created_at, test_id, run_id, task_id, definition_id, org_id, definition_type, status, passed, score_micro)
         SELECT $1, gen_random_uuid(), ${at}, $6, $2, $4, $5, $3, 'STYLE', 'COMPLETED', n = 1, n * 1000000 FROM generate_series(1, 3) n`,
        values,
      );
    }
  };
  await fill();
  const owner = ownerDataSource(database.ownerUrl, experimentsSchema);
  await owner.initialize();
  const runner = owner.createQueryRunner();
  const [create, backfill] = [new RollUpTasks1763804100000(), new RollUpOlderTasks1763804200000()];
  const [execute, settings] = [new ExecuteTests1763830000000(), new ExecutionSettings1763831100000()];
  // Rows that are written without the service are in no sums since.
  await settings.down(runner);
  await execute.down(runner);
  await backfill.down(runner);
  await create.down(runner);
  await create.up(runner);
  await fill();
  await backfill.up(runner);
  await execute.up(runner);
  await settings.up(runner);
  await runner.release();
  await owner.destroy();
  for (const { applicationId } of tenants) {
    const expected = await countedFromRows(applicationId);
    expect(expected.tests).toHaveLength(2);
    expect(await stored(applicationId)).toEqual(expected);
  }
});
