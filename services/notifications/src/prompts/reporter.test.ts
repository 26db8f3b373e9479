import { Code, ConnectError } from "@connectrpc/connect";
import type { BackgroundLoop } from "@ems/kit/background";
import { observeQueues } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { tenantKey } from "@ems/kit/rpc/call";
import { metricsText } from "@ems/kit/telemetry/metrics";
import { capturedLog, fixedClock, testDatabase } from "@ems/test-support";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { notificationsSchema } from "../schema.ts";
import { outcomeQueue } from "./outcomes.ts";
import { type ReporterDeps, removeOld, startReporter } from "./reporter.ts";

const database = await testDatabase(inject("postgres"));
const { log, text: logged } = capturedLog();
const url = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 4, log });
const clock = fixedClock();
/** Handler of the fake experiments for the report about a test. */
let onReport: (testId: string) => void | Promise<void> = () => undefined;
let reported: { testId: string; applicationId: string | undefined; orgId: string | undefined }[] = [];
const execution = {
  recordPromptOutcome: async (request, options) => {
    const { testId = "" } = request;
    const tenant = options?.contextValues?.get(tenantKey);
    reported.push({ testId, applicationId: tenant?.applicationId, orgId: tenant?.orgId });
    await onReport(testId);
    return { $typeName: "ems.experiments.v1.RecordPromptOutcomeResponse" as const };
  },
} satisfies ReporterDeps["execution"];
const deps: ReporterDeps = { relayDatabase, execution, clock, log };
const running: BackgroundLoop[] = [];
const start = () => {
  const reporter = startReporter(deps);
  running.push(reporter);
  return reporter;
};

beforeEach(async () => {
  onReport = () => undefined;
  reported = [];
  await database.sql("DELETE FROM notifications.prompt_outcome");
});
afterEach(async () => {
  for (const reporter of running.splice(0)) await reporter.stop();
});
afterAll(async () => {
  await relayDatabase.close();
  await database.drop();
});

/** Adds outcomes of one application; returns the IDs of their tests. */
async function outcomes(applicationId: string, count: number, ageMs = 0): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await database.sql(
    `INSERT INTO notifications.prompt_outcome (application_id, test_id, org_id, failure, next_attempt_at, created_at)
     SELECT $1::uuid, id, 'org of ' || $1::uuid, 'refused', $3, $3 FROM unnest($2::uuid[]) AS id`,
    [applicationId, ids, new Date(clock.now().getTime() - ageMs)],
  );
  return ids;
}
const left = async () => (await database.sql("SELECT 1 FROM notifications.prompt_outcome")).length;
const idsReported = () => reported.map(({ testId }) => testId);

test("each outcome is reported in the tenancy of its application, with its test", async () => {
  const [firstApplication, secondApplication] = [newId(), newId()];
  const ids = new Map([...(await outcomes(firstApplication, 3)).map((id) => [id, firstApplication] as const)]);
  for (const id of await outcomes(secondApplication, 3)) ids.set(id, secondApplication);
  start();
  await expect.poll(left).toBe(0);
  const expected = [...ids].map(([testId, applicationId]) => ({
    testId,
    applicationId,
    orgId: `org of ${applicationId}`,
  }));
  const byTest = (a: { testId: string }, b: { testId: string }) => a.testId.localeCompare(b.testId);
  expect(reported.toSorted(byTest)).toEqual(expected.toSorted(byTest));
});

test("a slow report delays no other, of its application or of another's", async () => {
  const [slow, other] = [newId(), newId()];
  const [held = ""] = await outcomes(slow, 1, 60_000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  onReport = (testId) => (testId === held ? released : undefined);
  const reporter = start();
  await expect.poll(idsReported).toEqual([held]);
  const ids = [...(await outcomes(slow, 40)), ...(await outcomes(other, 40))];
  reporter.wake();
  await expect.poll(left).toBe(1);
  expect(idsReported().sort()).toEqual([held, ...ids].sort());
  release();
  await expect.poll(left).toBe(0);
});

test("an application gets a share of the concurrent reports, and others proceed", async () => {
  const [many, other] = [newId(), newId()];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = await outcomes(many, 100, 60_000);
  onReport = (testId) => (held.includes(testId) ? released : undefined);
  const reporter = start();
  await expect.poll(() => reported.length).toBe(8);
  const [id = ""] = await outcomes(other, 1);
  reporter.wake();
  await expect.poll(idsReported).toContain(id);
  expect(reported).toHaveLength(9);
  release();
  await expect.poll(left).toBe(0);
  expect(new Set(idsReported()).size).toBe(101);
  expect(reported).toHaveLength(101);
});

test("a rejected outcome is retried after 1 s, doubling, while others proceed", async () => {
  const [id = ""] = await outcomes(newId(), 1);
  onReport = () => {
    throw new ConnectError("away", Code.Unavailable);
  };
  const reporter = start();
  const state = () =>
    database.sql<{ attempts: number; wait: number }>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - $1)::float8 AS wait FROM notifications.prompt_outcome
       WHERE leased_until IS NULL`,
      [clock.now()],
    );
  for (const [at, seconds] of [1, 2, 4, 8].entries()) {
    await expect.poll(state).toEqual([{ attempts: at + 1, wait: seconds }]);
    clock.advance(seconds * 1000);
    reporter.wake();
  }
  await expect.poll(state).toEqual([{ attempts: 5, wait: 16 }]);
  onReport = () => undefined;
  clock.advance(16_000);
  reporter.wake();
  await expect.poll(left).toBe(0);
  expect(idsReported()).toEqual(Array(6).fill(id));
});

test("two reporters report each outcome once", async () => {
  const ids = (await Promise.all([1, 2, 3].map(() => outcomes(newId(), 30)))).flat();
  start();
  start();
  await expect.poll(left).toBe(0);
  expect(idsReported().sort()).toEqual(ids.sort());
});

test("metrics state how many outcomes wait, and the age of the oldest", async () => {
  await outcomes(newId(), 3);
  await database.sql("UPDATE notifications.prompt_outcome SET created_at = now() - interval '90 s'");
  const stop = observeQueues([outcomeQueue], relayDatabase);
  const value = async (name: string) => Number(new RegExp(`^${name} (.*)$`, "m").exec(await metricsText())?.[1]);
  expect(await value('ems_queue_depth{queue="notifications.prompt_outcomes"}')).toBe(3);
  expect(await value('ems_queue_lag_seconds{queue="notifications.prompt_outcomes"}')).toBeGreaterThanOrEqual(90);
  stop();
  start();
  await expect.poll(left).toBe(0);
  expect(await value("ems_prompt_outcome_report_duration_seconds_count")).toBeGreaterThanOrEqual(3);
});

test("an outcome rejected for 30 days is deleted and logged; younger ones remain", async () => {
  const day = 86_400_000;
  await outcomes(newId(), 2, 31 * day);
  await outcomes(newId(), 1, 29 * day);
  await removeOld(deps);
  expect(await left()).toBe(1);
  expect(logged()).toMatch(/"count":2.*outcomes of prompts were deleted/);
});
