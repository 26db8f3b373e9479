import { newId } from "@ems/kit/id";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { ownerTransaction, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { database } = harness;
const waiting = () =>
  database.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
const listTraces = (testId: string) => database.sql("SELECT id FROM traces.trace WHERE test_id = $1", [testId]);

test.each([
  ["as a trace of its own", () => JSON.stringify({ output: "Good morning" })],
  ["under one id", (traceId: string) => JSON.stringify({ output: "Good morning", traceId })],
])("an answer that is reported three times at once is stored once, %s", async (_, formatAnswer) => {
  const of = executions(harness, testTenant());
  const [{ id } = { id: "" }] = (await of.trigger()).tests;
  const answer = formatAnswer(newId());
  let reports: Promise<unknown>[] = [];
  await ownerTransaction(database, async (runner) => {
    // Locks all runs, so that the outcomes wait until the answer of each report has been stored.
    await runner.query("LOCK TABLE experiments.run IN EXCLUSIVE MODE");
    reports = Array.from({ length: 3 }, () => of.accept(id, answer));
    await expect.poll(() => listTraces(id), { timeout: 15_000 }).toHaveLength(1);
    await expect.poll(waiting, { timeout: 15_000 }).not.toHaveLength(0);
  });
  await Promise.all(reports);
  expect(await listTraces(id)).toHaveLength(1);
  expect(of.listEvaluations(await of.claim(1))).toHaveLength(1);
  expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.IN_PROGRESS, evals: [{}] });
});

test("an answer that is stored while its test ends is kept as a trace and does not change the test", async () => {
  const of = executions(harness, testTenant());
  const [{ id } = { id: "" }] = (await of.trigger()).tests;
  let answered: Promise<unknown> | undefined;
  await ownerTransaction(database, async (runner) => {
    await runner.query("LOCK TABLE experiments.run IN EXCLUSIVE MODE");
    answered = of.accept(id, JSON.stringify({ output: "Good morning" }));
    await expect.poll(() => listTraces(id), { timeout: 15_000 }).toHaveLength(1);
    await expect.poll(waiting, { timeout: 15_000 }).not.toHaveLength(0);
    // Deletes the execution, as the end of a test does.
    await database.sql("DELETE FROM experiments.test_execution WHERE test_id = $1", [id]);
  });
  await answered;
  expect(await listTraces(id)).toHaveLength(1);
  expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.PENDING });
});

test("outcomes of a run that are reported at once are each recorded once", async () => {
  const of = executions(harness, testTenant());
  const { runId, tests } = await of.trigger({ repeat: 20 });
  const acceptedAt = new Date(Date.now() - 60_000);
  await Promise.all([
    ...tests.map(({ id }, at) => (at % 4 === 0 ? of.fail(id, `no ${at}`) : of.accept(id, undefined, acceptedAt))),
    ...tests.flatMap(({ id }, at) => (at % 4 === 0 ? [] : of.accept(id, undefined, acceptedAt))),
    of.accept(newId()),
  ]);
  const found = new Map((await of.listTests(runId)).map((recorded) => [recorded.id, recorded]));
  for (const [at, { id }] of tests.entries()) {
    expect(found.get(id)).toMatchObject(
      at % 4 === 0
        ? { status: ResultStatus.FAILED, message: `prompt_failed: no ${at}` }
        : { status: ResultStatus.IN_PROGRESS, waitingFor: "trace" },
    );
  }
  // Each deadline counts from the acceptance of the test's own prompt.
  const due = await database.sql<{ since: number }>(
    "SELECT DISTINCT round(extract(epoch FROM max(due_at) OVER () - due_at))::int AS since FROM experiments.test_execution WHERE run_id = $1",
    [runId],
  );
  expect(due).toEqual([{ since: 0 }]);
  await Promise.all(tests.map(({ id }) => of.fail(id, "late")));
  expect(await of.readRun(runId)).toMatchObject({ progress: { completed: 5n, total: 20n } });
});
