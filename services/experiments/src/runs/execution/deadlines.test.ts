import { newId } from "@ems/kit/id";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness({ TRACE_TIMEOUT_MS: "600000" });
const { database } = harness;
const of = executions(harness, testTenant());

const overdue = (...ids: string[]) =>
  database.sql(
    "UPDATE experiments.test_execution SET due_at = now() - interval '1 second' WHERE test_id = ANY ($1::uuid[])",
    [ids],
  );

test("a test fails when its trace or delivery is overdue by the database's clock, but not while its trace is incomplete", async () => {
  const { tests, runId } = await of.trigger({ repeat: 4 });
  const [silent = "", undelivered = "", incomplete = "", waiting = ""] = tests.map(({ id }) => id);
  await Promise.all([silent, incomplete, waiting].map((id) => of.accept(id)));
  harness.clock.advance(86_400_000);
  await database.sql(
    `INSERT INTO traces.trace_settling (application_id, trace_id, org_id, test_id, has_root, due_at)
     VALUES ($1, $2, $3, $4, false, now() + interval '1 hour')`,
    [of.tenant.applicationId, newId(), of.tenant.orgId, incomplete],
  );
  await overdue(silent, undelivered, incomplete);
  await expect.poll(async () => (await of.readTest(silent))?.status, { timeout: 10_000 }).toBe(ResultStatus.FAILED);
  expect(await of.readTest(silent)).toMatchObject({ message: "no_trace: No trace arrived" });
  expect((await of.readTest(undelivered))?.message).toMatch(/^prompt_failed: /);
  expect(await of.readTest(incomplete)).toMatchObject({ status: ResultStatus.IN_PROGRESS });
  expect(await of.readTest(waiting)).toMatchObject({ status: ResultStatus.IN_PROGRESS, waitingFor: "trace" });
  expect(await of.events("test.completed", silent)).toHaveLength(1);
  expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.IN_PROGRESS, progress: { completed: 2n } });
  await expectExactSums(database, of.tenant.applicationId);
}, 20_000);

test("a run all of whose tests failed is FAILED", async () => {
  const { tests, runId } = await of.trigger({ repeat: 2 });
  for (const { id } of tests) await of.fail(id);
  expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.FAILED });
  expect(await of.events("run.completed", runId)).toMatchObject([
    { status: "FAILED", summary: { passed: 0, failed: 0, errored: 2, none: 0, passRate: null, averageScore: null } },
  ]);
});

test("the trace deadline counts from the acceptance of the prompt, but not from before its request", async () => {
  const { tests } = await of.trigger({ repeat: 4 });
  const [earlier = "", ahead = "", before = "", unsaid = ""] = tests.map(({ id }) => id);
  await database.sql(
    "UPDATE experiments.test_execution SET due_at = due_at - interval '5 minutes' WHERE test_id = ANY ($1::uuid[])",
    [tests.map(({ id }) => id)],
  );
  const [row] = await database.sql<{ now: Date }>("SELECT now() AS now");
  const ago = (minutes: number) => new Date((row?.now.getTime() ?? 0) - minutes * 60_000);
  await of.accept(earlier, undefined, ago(3));
  await of.accept(ahead, undefined, ago(-600));
  await of.accept(before, undefined, ago(600));
  await of.accept(unsaid);
  const dueIn = async (id: string) => {
    const text =
      "SELECT extract(epoch FROM due_at - $2::timestamptz)::float8 / 60 AS minutes FROM experiments.test_execution WHERE test_id = $1";
    const [due] = await database.sql<{ minutes: number }>(text, [id, row?.now]);
    return due?.minutes;
  };
  expect(await dueIn(earlier)).toBeCloseTo(7, 3);
  const [full, least] = [await dueIn(ahead), await dueIn(before)];
  expect(full).toBeGreaterThanOrEqual(10);
  expect(await dueIn(unsaid)).toBeGreaterThanOrEqual(full ?? 11);
  // The deadline counts at the earliest from the prompt's request, which was moved to five minutes before this test.
  expect(least).toBeLessThan(5.001);
  expect(least).toBeGreaterThan(0);
});

test("a prompt whose outcome arrives after the trace deadline fails its test at once", async () => {
  const { tests } = await of.trigger();
  const [id = ""] = tests.map((planned) => planned.id);
  await database.sql("UPDATE experiments.test_execution SET due_at = due_at - interval '1 hour' WHERE test_id = $1", [
    id,
  ]);
  await of.accept(id, undefined, new Date(Date.now() - 11 * 60_000));
  await expect
    .poll(async () => (await of.readTest(id))?.message, { timeout: 15_000 })
    .toBe("no_trace: No trace arrived");
}, 20_000);
