// Reruns by a filter of which more match than a request runs again: the oldest first, wherever they are.

import { newId } from "@ems/kit/id";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { rerunEvaluationsMax } from "@ems/proto/limits";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { addTests } from "../../test/archive.ts";
import { archivedApplications } from "../../test/archived-applications.ts";
import { dropping } from "../../test/dropped.ts";
import { experimentsHarness } from "../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database } = harness;
const evaluations = harness.client(EvaluationService);
const { operator } = archivedApplications(harness, clickhouse);
const dayMs = 86_400_000;

test("reruns restore the days of the oldest matches alone, and count those that are still dropped", {
  retry: 0,
  timeout: 120_000,
}, async () => {
  const tenants = [testTenant(), testTenant()] as const;
  const start = harness.clock.now().getTime() - 10 * dayMs;
  const definitionId = newId();
  for (const { applicationId } of tenants) {
    // Two evaluations each, on three days.
    for (const day of [0, 1, 2]) await addTests(database.sql, applicationId, new Date(start + day * dayMs), 400);
    const judge = "UPDATE experiments.evaluation SET definition_id = $2 WHERE application_id = $1";
    await database.sql(judge, [applicationId, definitionId]);
    await database.sql("UPDATE experiments.test SET trace_id = id WHERE application_id = $1", [applicationId]);
  }
  await dropping(clickhouse, database);
  const signal = new AbortController().signal;
  await operator(async ({ run, restore }) => {
    await run(signal, () => undefined);
    await restore({ application: tenants[1].applicationId }, signal, () => undefined);
  });
  const answers = [];
  for (const tenant of tenants) {
    const found = [];
    for (let round = 0; round < 3; round += 1) {
      const { count, remaining } = await evaluations.rerunEvaluations(
        { ids: [], definitionId },
        testCall(tenant, 60_000),
      );
      const batches = await database.sql(
        "SELECT FROM experiments.archive_batch WHERE application_id = $1 AND state = 'dropped'",
        [tenant.applicationId],
      );
      found.push({ count, remaining, dropped: batches.length });
    }
    answers.push(found);
  }
  const [some = [], none = []] = answers;
  expect(none.map(({ count, remaining }) => [count, remaining])).toEqual([
    [BigInt(rerunEvaluationsMax), 1_400n],
    [BigInt(rerunEvaluationsMax), 400n],
    [400n, 0n],
  ]);
  expect(some.map(({ count, remaining }) => [count, remaining])).toEqual(
    none.map(({ count, remaining }) => [count, remaining]),
  );
  expect(some.map(({ dropped }) => dropped)).toEqual([1, 0, 0]);
});
