// Results that were there before the sums are in them after the migration.

import { ownerDataSource } from "@ems/kit/db/data-source";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";
import { CompleteResults1763806303000 } from "../migrations/1763806303000-complete-results.ts";
import { experimentsSchema } from "../schema.ts";

const { client, database } = await experimentsHarness();

const statuses = [ResultStatus.FAILED, ResultStatus.COMPLETED, ResultStatus.IN_PROGRESS, ResultStatus.PENDING] as const;

const sums = (table: string, key: string) =>
  database.sql(`SELECT * FROM experiments.${table} ORDER BY application_id, run_id, ${key}`);
const counts = () =>
  database.sql(
    "SELECT id, evaluation_count, evaluation_passed FROM experiments.test ORDER BY evaluation_count DESC, id",
  );

test("the migration adds up the results of all tenants, and evaluations may be skipped after it", async () => {
  const tests = client(TestService);
  const definitions = [newId(), newId()];
  for (const tenant of [testTenant(), testTenant()]) {
    const evaluations = definitions.map((definitionId, at) => ({ definitionId, passed: at === 0, score: at / 3 }));
    const newTests = statuses.map((status) => ({
      taskId: newId(),
      status,
      passed: status !== ResultStatus.PENDING,
      evaluations,
    }));
    await tests.recordResults({ tests: newTests }, testCall(tenant));
    await tests.recordResults({ tests: [{ taskId: newId() }] }, testCall(tenant));
  }
  const stored = async () => [
    await sums("run_stat", "tests"),
    await sums("run_definition", "definition_id"),
    await counts(),
  ];
  const before = await stored();
  expect(before.map((rows) => rows.length)).toEqual([4, 4, 10]);

  const owner = ownerDataSource(database.ownerUrl, experimentsSchema);
  await owner.initialize();
  const [migration, runner] = [new CompleteResults1763806303000(), owner.createQueryRunner()];
  await migration.down(runner);
  await migration.up(runner);
  await owner.destroy();

  expect(await stored()).toEqual(before);
  const skipped = { taskId: newId(), evaluations: [{ definitionId: newId(), status: EvaluationStatus.SKIPPED }] };
  await tests.recordResults({ tests: [skipped] }, testCall(testTenant()));
});
