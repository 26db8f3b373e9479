import { monotonicMs } from "@ems/kit/clock";
import type { Tenant } from "@ems/kit/tenant";
import { testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { lockConnections } from "../model-connections/queries.ts";
import { resumeIfOver } from "../model-connections/resume-if-over.ts";
import { SettingEntity, type SettingRow } from "../setting.ts";
import { resumeJobs } from "./resume.ts";

const { own, sql, add, clock } = await jobsHarness();
const laterMs = 3_600_000;

const createSetting = ({ applicationId, orgId }: Tenant, dayTokens: string): SettingRow => ({
  applicationId,
  orgId,
  defaultConnectionId: null,
  votes: 1,
  modifiedAt: clock.now(),
  dayTokens,
  dayMoneyMicro: null,
  monthTokens: null,
  monthMoneyMicro: null,
});
const scope = <T>(tenant: Tenant, work: Parameters<typeof own.withScope<T>>[2]) =>
  own.withScope(tenant, monotonicMs() + 10_000, work);
const store = (tenant: Tenant, dayTokens: string) =>
  scope(tenant, (tx) => tx.insert(SettingEntity, createSetting(tenant, dayTokens)));
const resumeIfChanged = (tenant: Tenant, setting: SettingRow | null) =>
  resumeIfOver(own, tenant, { waitingFor: "budget", setting, connection: undefined }, clock.now());
/** Adds a job that waits for an hour because of a budget or a connection. */
async function waiting(tenant: Tenant, waitingFor = "budget"): Promise<string> {
  const [id = ""] = await add(1, tenant);
  const at = new Date(clock.now().getTime() + laterMs);
  await sql("UPDATE evaluation.job SET waiting_for = $2, next_attempt_at = $3 WHERE id = $1", [id, waitingFor, at]);
  return id;
}
const isDue = async (id: string) =>
  (
    await sql<{ due: boolean }>("SELECT next_attempt_at <= $2 AS due FROM evaluation.job WHERE id = $1", [
      id,
      clock.now(),
    ])
  )[0]?.due;

test("a budget change during the parking of a job is not missed", async () => {
  const tenant = testTenant();
  await store(tenant, "100");
  const [changed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The change resumes the jobs that wait; this job is not waiting yet.
  const changing = scope(tenant, async (tx) => {
    lockConnections(tx, tenant.applicationId);
    await tx.query("UPDATE evaluation.setting SET day_tokens = 200 WHERE application_id = $1", [tenant.applicationId]);
    resumeJobs(tx, tenant.applicationId, "budget", clock.now());
    changed.resolve();
    await commit.promise;
  });
  await changed.promise;
  const id = await waiting(tenant);
  const resuming = resumeIfChanged(tenant, createSetting(tenant, "100"));
  const isOver = vi.fn();
  const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  try {
    await Promise.race([resuming.then(isOver), expect.poll(async () => (await sql(waits)).length).toBeGreaterThan(0)]);
    expect(isOver).not.toHaveBeenCalled();
  } finally {
    commit.resolve();
  }
  await Promise.all([changing, resuming]);
  expect(await isDue(id)).toBe(true);
});

test("jobs continue if budgets changed since the job read them, and wait otherwise", async () => {
  const tenant = testTenant();
  await store(tenant, "100");
  const id = await waiting(tenant);
  await resumeIfChanged(tenant, createSetting(tenant, "100"));
  expect(await isDue(id)).toBe(false);
  await resumeIfChanged(tenant, createSetting(tenant, "99"));
  expect(await isDue(id)).toBe(true);
  const [another, unset] = [testTenant(), testTenant()];
  await store(another, "100");
  const first = await waiting(another);
  await resumeIfChanged(another, null);
  const second = await waiting(unset);
  await resumeIfChanged(unset, null);
  expect([await isDue(first), await isDue(second)]).toEqual([true, false]);
});

test("a change resumes only the application's jobs that wait for it", async () => {
  const [tenant, other] = [testTenant(), testTenant()];
  const [budget, connection, foreign] = [
    await waiting(tenant),
    await waiting(tenant, "model_connection"),
    await waiting(other),
  ];
  const [due = ""] = await add(1, tenant);
  const early = new Date(clock.now().getTime() - laterMs);
  await sql("UPDATE evaluation.job SET waiting_for = 'budget', next_attempt_at = $2 WHERE id = $1", [due, early]);
  await scope(tenant, async (tx) => resumeJobs(tx, tenant.applicationId, "budget", clock.now()));
  expect(await Promise.all([budget, connection, foreign].map(isDue))).toEqual([true, false, false]);
  const rows = await sql<{ next_attempt_at: Date }>("SELECT next_attempt_at FROM evaluation.job WHERE id = $1", [due]);
  expect(rows).toEqual([{ next_attempt_at: early }]);
  await scope(tenant, async (tx) => resumeJobs(tx, tenant.applicationId, "model_connection", clock.now()));
  expect(await isDue(connection)).toBe(true);
});
