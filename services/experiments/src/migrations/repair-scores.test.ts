import { readFileSync } from "node:fs";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";
import { expectExactSums } from "../../test/sums.ts";

const harness = await experimentsHarness();
const { sql } = harness.database;
const repair = readFileSync(new URL("repair-scores.sql", import.meta.url), "utf8");

/** Changes a score and the sums as an older version did, which had no scales. */
async function setScore(testId: string, definitionId: string, from: number, to: number, isFivePoint: boolean) {
  const [before, after] = [from, to].map((score) => (isFivePoint ? (score - 1) * 1e6 : score * 4e6)) as [
    number,
    number,
  ];
  await sql("UPDATE experiments.evaluation SET score_micro = $3 WHERE test_id = $1 AND definition_id = $2", [
    testId,
    definitionId,
    to * 1e6,
  ]);
  await sql(
    `UPDATE experiments.evaluation_day SET score_sum = score_sum + $2::bigint, score_min = least(score_min, $3::bigint),
       score_max = greatest(score_max, $3::bigint) WHERE definition_id = $1`,
    [definitionId, (to - from) * 1e6, to * 1e6],
  );
  await sql("UPDATE experiments.run_definition SET score_sum = score_sum + $2::bigint WHERE definition_id = $1", [
    definitionId,
    after - before,
  ]);
  await sql(
    `UPDATE experiments.task_definition_day SET score_sum = score_sum + $2::bigint,
       score_squares = score_squares + $3::numeric
     WHERE definition_id = $1 AND task_id = (SELECT task_id FROM experiments.test WHERE id = $4)`,
    [definitionId, after - before, after ** 2 - before ** 2, testId],
  );
}

test("sums lose scores outside their scale, keep the others, and a second run changes nothing", async () => {
  const [factId, styleId, cleanId] = [newId(), newId(), newId()];
  harness.definitions.set(styleId, { type: EvalDefinitionType.STYLE });
  const tenants = [testTenant(), testTenant()];
  for (const tenant of tenants) {
    const ids = tenant === tenants[0] ? [factId, styleId] : [newId(), newId()];
    for (const id of ids.slice(1)) harness.definitions.set(id, { type: EvalDefinitionType.STYLE });
    const evaluations = [
      { definitionId: ids[0] ?? "", score: 0.5, passed: true },
      { definitionId: ids[1] ?? "", score: 4, passed: true },
      { definitionId: cleanId, score: 0.25, passed: false },
    ];
    const newTest = { taskId: newId(), score: 0.5, passed: true, evaluations };
    const { testIds } = await harness
      .client(TestService)
      .recordResults(
        { run: { type: RunType.MONITORING }, tests: [newTest, { ...newTest, taskId: newId() }] },
        testCall(tenant),
      );
    const [changed = ""] = testIds;
    await setScore(changed, ids[0] ?? "", 0.5, 3.5, false);
    await setScore(changed, ids[1] ?? "", 4, 0.8, true);
    await sql("UPDATE experiments.test SET score_micro = -2000000 WHERE id = $1", [changed]);
    await sql("UPDATE experiments.run_stat SET score_sum = score_sum - 2500000 WHERE application_id = $1", [
      tenant.applicationId,
    ]);
    await sql(
      "UPDATE experiments.test_day SET score_sum = score_sum - 2500000, score_min = -2000000 WHERE application_id = $1",
      [tenant.applicationId],
    );
    await expect(expectExactSums(harness.database, tenant.applicationId)).rejects.toThrow();
  }
  await sql(repair);
  // A later migration computes these from the repaired sums.
  await sql(`UPDATE experiments.run_stat s SET evaluation_score_rows = d.rows, evaluation_score_sum = d.total
    FROM (SELECT run_id, sum(score_rows) AS rows, sum(score_sum) AS total FROM experiments.run_definition GROUP BY run_id) d
    WHERE s.run_id = d.run_id`);
  for (const { applicationId } of tenants) await expectExactSums(harness.database, applicationId);
  const bounds = () =>
    sql("SELECT definition_id, score_rows, score_min, score_max FROM experiments.evaluation_day ORDER BY 1, 2");
  const repaired = await bounds();
  expect(repaired).toContainEqual({ definition_id: factId, score_rows: "1", score_min: "500000", score_max: "500000" });
  expect(repaired).toContainEqual({
    definition_id: styleId,
    score_rows: "1",
    score_min: "4000000",
    score_max: "4000000",
  });
  await sql(repair);
  expect(await bounds()).toEqual(repaired);
});
