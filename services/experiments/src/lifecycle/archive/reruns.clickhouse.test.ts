// Reruns skip archived evaluations and report how many they skipped.

import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { addTests } from "../../../test/archive.ts";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database } = harness;
const evaluations = harness.client(EvaluationService);
const archive = await dropping(clickhouse, database);
const dayMs = 86_400_000;
const start = harness.clock.now().getTime() - 10 * dayMs;

/** Creates ten tests on each of two days, judged by one definition and closed by traces; archives the first day. */
async function application() {
  const tenant = testTenant();
  const { applicationId } = tenant;
  const definitionId = newId();
  for (const day of [0, 1]) await addTests(database.sql, applicationId, new Date(start + day * dayMs), 10);
  await database.sql("UPDATE experiments.evaluation SET definition_id = $2 WHERE application_id = $1", [
    applicationId,
    definitionId,
  ]);
  await database.sql("UPDATE experiments.test SET trace_id = id WHERE application_id = $1", [applicationId]);
  const ids = await database.sql<{ id: string; run_id: string }>(
    "SELECT id, run_id FROM experiments.evaluation WHERE application_id = $1 ORDER BY created_at, id",
    [applicationId],
  );
  await archive(applicationId, "results", new Date(start), new Date(start + dayMs));
  return { tenant, applicationId, definitionId, ids: ids.map(({ id }) => id), runId: ids[0]?.run_id ?? "" };
}
type Request = Parameters<typeof evaluations.rerunEvaluations>[0];
const rerun = (tenant: ReturnType<typeof testTenant>, request: Request) =>
  evaluations.rerunEvaluations(request, testCall(tenant, 60_000));

test("a rerun by filter counts and skips archived evaluations", async () => {
  const { tenant, definitionId } = await application();
  expect(await rerun(tenant, { ids: [], definitionId })).toMatchObject({ count: 20n, remaining: 0n, archived: 20n });
});

test("a rerun by ids counts archived evaluations, and is refused if all are archived", async () => {
  const { tenant, ids } = await application();
  const [archived = ""] = ids;
  const other = ids.at(-1) ?? "";
  await expect(rerun(tenant, { ids: [archived] })).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining("ems archive restore"),
  });
  expect(await rerun(tenant, { ids: [archived, other] })).toMatchObject({ count: 1n, archived: 1n });
  expect(await rerun(tenant, { ids: [newId()] })).toMatchObject({ count: 0n, archived: 0n });
});

test("a test with an archived trace is skipped too", async () => {
  const { tenant, applicationId, definitionId } = await application();
  await database.sql(
    `INSERT INTO traces.dropped_trace (application_id, id, created_at)
     SELECT application_id, trace_id, created_at FROM experiments.test WHERE application_id = $1 LIMIT 1`,
    [applicationId],
  );
  expect(await rerun(tenant, { ids: [], definitionId })).toMatchObject({ count: 18n, archived: 22n });
});
