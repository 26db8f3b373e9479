import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { SettingEntity } from "../setting.ts";
import { Budgets } from "./budgets.ts";
import { chargeLostCalls } from "./charge-lost.ts";
import { getEnd, getStart } from "./periods.ts";
import { countedShare, getShare, newShares } from "./thresholds.ts";

const harness = await jobsHarness({ JOBS_CONCURRENCY: "8" });
const { clock, own, sql } = harness;

/** Sets a daily budget in tokens. */
async function setBudget({ applicationId, orgId }: Tenant, tokens: number) {
  await sql(
    "INSERT INTO evaluation.setting (application_id, org_id, day_tokens, modified_at) VALUES ($1, $2, $3, now())",
    [...[applicationId, orgId, tokens]],
  );
}

test("the reservation of a lost process's call is uncertain spend", async () => {
  const tenant = testTenant();
  await setBudget(tenant, 100);
  const { applicationId, orgId } = tenant;
  await sql(
    `INSERT INTO evaluation.model_call (application_id, id, org_id, connection_id, started_at, expires_at, tokens, cost_micro,
       is_reserved)
     VALUES ($1, $2, $3, $2, now(), now() - interval '1 second', 90, 7, true)`,
    [applicationId, newId(), orgId],
  );
  const setting = { dayTokens: "100", dayMoneyMicro: null, monthMoneyMicro: null, monthTokens: null } as const;
  const row = { ...setting, applicationId, orgId, defaultConnectionId: null, votes: 1, modifiedAt: clock.now() };
  const call = { id: newId(), tokens: 10, costMicro: 0 };
  expect(await harness.budgets.reserve(tenant, row, call)).toBeUndefined();
  expect(await harness.budgets.reserve(tenant, row, { ...call, tokens: 11 })).toMatchObject({ isSpent: true });
  const spent = await sql(
    "SELECT tokens, uncertain_tokens, uncertain_cost_micro FROM evaluation.spending WHERE application_id = $1",
    [applicationId],
  );
  expect(spent).toEqual(Array(2).fill({ tokens: "0", uncertain_tokens: "90", uncertain_cost_micro: "7" }));
});

test("without a budget, a lost process's call is charged even if no other call follows, and a call that never began is deleted", async () => {
  const tenant = testTenant();
  const { limits, relayDatabase } = harness;
  const call = { connectionId: newId(), tokens: 90, costMicro: 7, timeoutMs: -1_000 };
  await limits.acquire(tenant, {}, { id: newId(), ...call, isUnbudgeted: true });
  await limits.acquire(tenant, {}, { id: newId(), ...call });
  const [inFlight, late] = [newId(), newId()];
  await limits.acquire(tenant, {}, { id: inFlight, ...call, timeoutMs: 60_000, isUnbudgeted: true });
  await limits.acquire(tenant, {}, { id: late, ...call, isUnbudgeted: true });
  const charge = () => chargeLostCalls({ relayDatabase, budgets: harness.budgets });
  await Promise.all([charge(), charge()]);
  const spent = () =>
    sql("SELECT tokens, uncertain_tokens, uncertain_cost_micro FROM evaluation.spending WHERE application_id = $1", [
      tenant.applicationId,
    ]);
  expect(await spent()).toEqual(Array(2).fill({ tokens: "0", uncertain_tokens: "180", uncertain_cost_micro: "14" }));
  const open = await sql("SELECT id FROM evaluation.model_call WHERE application_id = $1 AND ended_at IS NULL", [
    tenant.applicationId,
  ]);
  expect(open).toEqual([{ id: inFlight }]);
  // A call that was charged as lost is not charged a second time if it ends after all.
  await harness.budgets.complete(tenant, null, { id: late, tokens: 1, costMicro: 1, isUncertain: false });
  expect(await spent()).toEqual(Array(2).fill({ tokens: "0", uncertain_tokens: "180", uncertain_cost_micro: "14" }));
});

/** Creates a daily budget of 100 tokens, with functions that use and reserve tokens. */
async function withBudget(uncertainShare: number) {
  const tenant = testTenant();
  await setBudget(tenant, 100);
  const publish = vi.fn();
  const budgets = new Budgets({ database: own, publish, clock, uncertainShare });
  const setting = await own.withScope(tenant, Date.now() + 5_000, (tx) =>
    tx.findOne(SettingEntity, { applicationId: tenant.applicationId }),
  );
  const refuses = (tokens: number) => budgets.reserve(tenant, setting, { id: newId(), tokens, costMicro: 0 });
  const spend = async (tokens: number, isUncertain: boolean) => {
    const call = { id: newId(), tokens, costMicro: 0 };
    await harness.limits.acquire(tenant, {}, { ...call, connectionId: newId(), timeoutMs: 60_000 });
    const refusal = await budgets.reserve(tenant, setting, call);
    if (refusal === undefined) await budgets.complete(tenant, setting, { ...call, isUncertain });
    else await harness.limits.release(tenant, call.id);
    return refusal;
  };
  const announced = () => publish.mock.calls.map(([, , { value }]) => [value.percent, value.spent, value.uncertain]);
  return { refuses, spend, announced };
}

test("uncertain spend counts in full: a budget is a hard limit when no call is answered", async () => {
  const { spend, announced } = await withBudget(1);
  const refusals = [];
  for (let call = 0; call < 5; call++) refusals.push((await spend(30, true))?.isSpent);
  expect(refusals).toEqual([undefined, undefined, undefined, true, true]);
  expect(announced()).toEqual([
    [80, 90n, 90n],
    [100, 90n, 90n],
  ]);
});

test("a lower share counts less, and real spend exceeds the budget by at most the rest of the uncertain spend", async () => {
  const { refuses, spend, announced } = await withBudget(0.5);
  expect(await spend(60, true)).toBeUndefined();
  expect(await refuses(71)).toMatchObject({ isSpent: true });
  expect(await spend(70, false)).toBeUndefined();
  // 70 certain and half of 60 uncertain tokens use up the budget; the real spend is 130 at most.
  expect(await refuses(1)).toMatchObject({ isSpent: true });
  expect(announced()).toEqual([
    [80, 30n, 30n],
    [100, 30n, 30n],
  ]);
});

test.each([
  [90n, 1, 90n],
  [0n, 1, 0n],
  [90n, 0, 0n],
  [100n, 0.07, 7n],
  [1n, 0.5, 1n],
  [9_007_199_254_740_993n, 1, 9_007_199_254_740_993n],
])("of %s uncertain by a share of %d count %s", (uncertain, share, counted) => {
  expect(countedShare(uncertain, share)).toBe(counted);
});

test("another application's spending does not count", async () => {
  const other = testTenant();
  const rows = await own.withScope(other, Date.now() + 5_000, (tx) => tx.query("SELECT FROM evaluation.spending"));
  expect(rows).toEqual([]);
});

test("periods are in UTC", () => {
  const at = new Date("2026-12-31T23:59:59.999Z");
  expect(getStart("month", at).toISOString()).toBe("2026-12-01T00:00:00.000Z");
  expect(getEnd("month", at).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  expect([getStart("day", at), getEnd("day", at)].map((date) => date.toISOString())).toEqual([
    "2026-12-31T00:00:00.000Z",
    "2027-01-01T00:00:00.000Z",
  ]);
});

test.each([
  [79n, 0, []],
  [80n, 0, [80]],
  [100n, 0, [80, 100]],
  [100n, 80, [100]],
  [150n, 100, []],
])("of a budget of 100, %s spent after %s announced, announce %j", (spent, notified, announced) => {
  expect(newShares(notified, getShare(spent, 100n))).toEqual(announced);
});
