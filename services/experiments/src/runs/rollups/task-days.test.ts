// Sums by task and day equal counts of all rows, no matter how the rows were written.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { type ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);
const { database } = harness;
const dayMs = 86_400_000;

const counted = "status = 'COMPLETED' AND passed IS NOT NULL AND error_cause IS NULL";
const sums = (of: string) => `count(*) FILTER (WHERE ${counted}) AS ${of},
  count(*) FILTER (WHERE ${counted} AND passed) AS ${of}_passed`;
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
) => `(SELECT r.*, ${table === "test" ? "" : "NULL AS error_cause, "}run.type = 'MONITORING' AS monitoring, (r.created_at AT TIME ZONE 'UTC')::date AS day
  FROM experiments.${table} r JOIN experiments.run ON run.id = r.run_id WHERE r.application_id = $1) r`;

/** Reads the stored sums of an application, and computes the same sums from its rows. */
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
  const result = (at: number, scores: readonly number[]) => ({
    status: pick<ResultStatus>([3, 3, 3, 4, 1, 2], at),
    ...(at % 7 !== 0 && { passed: at % 3 !== 0 }),
    ...(at % 5 !== 0 && { score: pick(scores, at) }),
  });
  const newTest = (at: number) => ({
    taskId: pick(taskIds, at),
    createdAt: timestampFromDate(new Date(harness.clock.now().getTime() - (at % 11) * (dayMs / 3))),
    ...result(at, [0, 0.1, 0.333333, 1, 5, -1e9, 1e9]),
    evaluations: Array.from({ length: at % 4 }, (_, of) => ({
      definitionId: pick(definitionIds, at + of),
      ...result(at + of + 1, [0, 0.1, 0.333333, 0.5, 1]),
    })),
  });
  await Promise.all(
    [RunType.MANUAL, RunType.MONITORING, RunType.SCHEDULED, RunType.MONITORING].map((type, batch) => {
      const batchTests = Array.from({ length: 60 }, (_, at) => newTest(batch * 60 + at));
      return tests.recordResults({ run: { type }, tests: batchTests }, testCall(tenant));
    }),
  );
  const { applicationId } = tenant;
  const first = await countedFromRows(applicationId);
  expect(first.byDefinition.length).toBeGreaterThan(20);
  expect(await stored(applicationId)).toEqual(first);
});
