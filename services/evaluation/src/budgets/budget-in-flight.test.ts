// Budgets with 200 concurrent calls in three workers.

import type { Tenant } from "@ems/kit/tenant";
import { testTenant } from "@ems/test-support";
import { expect, onTestFinished, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import type { ModelCaller } from "../judges/judge.ts";

const harness = await jobsHarness({ JOBS_CONCURRENCY: "80" });
const { add, clock, connection, ended, outcomes, sql, start } = harness;

/** Maximum usage of one call by the harness's judge, in tokens and in millionths of a US dollar. */
const most = 1_023;
const usedTokens = 900;
const dayMs = 24 * 60 * 60_000;

async function setMoney({ applicationId, orgId }: Tenant, micro: number) {
  await sql(
    `INSERT INTO evaluation.setting (application_id, org_id, day_money_micro, modified_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (application_id) DO UPDATE SET day_money_micro = $3`,
    [applicationId, orgId, micro],
  );
}

/** Reads the spend in all periods of a day, and the reservations of calls in progress. */
async function sums({ applicationId }: Tenant) {
  const [row] = await sql<{ spent: number; open: number }>(
    `SELECT coalesce((SELECT max(cost_micro) FROM evaluation.spending WHERE application_id = $1 AND period = 'day'), 0)::int AS spent,
       coalesce((SELECT sum(cost_micro) FROM evaluation.model_call WHERE application_id = $1 AND is_reserved AND ended_at IS NULL),
         0)::int AS open`,
    [applicationId],
  );
  return row ?? { spent: 0, open: 0 };
}

const announced = async () =>
  (await sql<{ at: number }>("SELECT count(*)::int AS at FROM evaluation.outbox"))[0]?.at ?? 0;

const waiting = ({ applicationId }: Tenant) =>
  sql<{ waiting_for: string; attempts: number; next_attempt_at: Date }>(
    "SELECT waiting_for, attempts, next_attempt_at FROM evaluation.job WHERE application_id = $1 AND finished_at IS NULL",
    [applicationId],
  );

/** Waits for the condition while it moves the clock, so that waiting jobs become due. */
async function until(condition: () => boolean | Promise<boolean>) {
  const look = async () => {
    clock.advance(500);
    expect(await condition()).toBe(true);
  };
  await vi.waitFor(look, { timeout: 60_000, interval: 50 }).catch(async (error: unknown) => {
    const state =
      await sql(`SELECT waiting_for, leased_until IS NOT NULL AS leased, finished_at IS NOT NULL AS ended, attempts, count(*)::int,
        min(next_attempt_at), max(next_attempt_at) FROM evaluation.job GROUP BY 1, 2, 3, 4`);
    const calls = await sql(
      "SELECT is_reserved, ended_at IS NULL AS open, count(*)::int, sum(cost_micro)::int FROM evaluation.model_call GROUP BY 1, 2",
    );
    throw new Error(`${condition} ${JSON.stringify({ state, calls, now: clock.now() })}`, { cause: error });
  });
}

/** Creates a model whose calls end when the gate is opened. */
function gated() {
  const gate = Promise.withResolvers<void>();
  // Opens the gate even if a test fails.
  onTestFinished(() => gate.resolve());
  const calls = { now: 0, max: 0, began: 0 };
  const generate: ModelCaller["generate"] = async () => {
    calls.began++;
    calls.now++;
    calls.max = Math.max(calls.max, calls.now);
    await gate.promise;
    calls.now--;
    // The test reads only the usage.
    return { object: {} as never, usage: { inputTokens: usedTokens - 10, outputTokens: 10 }, model: "m" };
  };
  return { calls, open: () => gate.resolve(), found: { ...connection(async () => undefined), caller: { generate } } };
}

test("a budget that 200 calls in flight fill is never exceeded, is announced once at each threshold, and has room on the next day", async () => {
  const tenant = testTenant();
  const budget = 200 * most;
  await setMoney(tenant, budget);
  await add(260, tenant);
  const { calls, open, found } = gated();
  const workers = [start(found), start(found), start(found)];
  await until(() => calls.now === 200);
  expect(await sums(tenant)).toEqual({ spent: 0, open: budget });
  open();
  const seen: number[] = [];
  await until(async () => {
    const { spent, open: reserved } = await sums(tenant);
    seen.push(spent + reserved);
    return (await waiting(tenant)).every(({ waiting_for }) => waiting_for === "budget") && reserved === 0;
  });
  expect(Math.max(...seen)).toBeLessThanOrEqual(budget);
  const { spent } = await sums(tenant);
  // The remaining budget has no room for another call.
  expect(spent).toBeGreaterThan(budget - most);
  expect(spent).toBe(calls.began * usedTokens);
  expect(calls.max).toBe(200);
  expect(ended().length).toBe(calls.began);
  const left = await waiting(tenant);
  expect(left.length).toBe(260 - calls.began);
  expect(new Set(left.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  expect(new Set(left.map(({ next_attempt_at }) => next_attempt_at.toISOString()))).toEqual(
    new Set(["2026-01-16T00:00:00.000Z"]),
  );
  expect(await announced()).toBe(2);
  const { money_notified: notified } =
    (await sql("SELECT money_notified FROM evaluation.spending WHERE period = 'day'"))[0] ?? {};
  expect(notified).toBe(100);
  clock.advance(dayMs);
  await until(() => ended().length === 260);
  await Promise.all(workers.map((worker) => worker.stop()));
  // No attempt was charged for calls that had to wait.
  expect(new Set(ended().map(({ attempts }) => attempts))).toEqual(new Set([1]));
  expect(new Set(ended().map(({ id }) => id)).size).toBe(260);
  expect(outcomes.some(({ waitingFor }) => waitingFor === "budget")).toBe(true);
}, 180_000);

test("a budget that is set below the calls in flight lets them end, and no others begin", async () => {
  const tenant = testTenant();
  await setMoney(tenant, 1_000 * most);
  const before = await announced();
  await add(200, tenant);
  const { calls, open, found } = gated();
  const workers = [start(found), start(found), start(found)];
  await until(() => calls.now === 200);
  await setMoney(tenant, most);
  await add(20, tenant);
  const { open: inFlight } = await sums(tenant);
  expect(inFlight).toBe(200 * most);
  open();
  await until(async () => {
    const left = await waiting(tenant);
    return left.length === 20 && left.every(({ waiting_for }) => waiting_for === "budget");
  });
  const { spent } = await sums(tenant);
  expect(spent).toBeLessThanOrEqual(most + inFlight);
  expect({ spent, began: calls.began }).toEqual({ spent: 200 * usedTokens, began: 200 });
  expect(await announced()).toBe(before + 2);
  await Promise.all(workers.map((worker) => worker.stop()));
}, 180_000);
