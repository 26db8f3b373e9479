import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { chargeLostCalls } from "./charge-lost.ts";
import { endOf, startOf } from "./periods.ts";
import { newShares, shareOf } from "./thresholds.ts";

const harness = await jobsHarness({ JOBS_CONCURRENCY: "8" });
const { clock, own, sql } = harness;

/** Of a day, in tokens. */
async function setBudget({ applicationId, orgId }: Tenant, tokens: number) {
  await sql(
    "INSERT INTO evaluation.setting (application_id, org_id, day_tokens, modified_at) VALUES ($1, $2, $3, now())",
    [...[applicationId, orgId, tokens]],
  );
}

test("what a call of a lost process reserved is charged", async () => {
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
  const spent = await sql("SELECT tokens, cost_micro FROM evaluation.spending WHERE application_id = $1", [
    applicationId,
  ]);
  expect(spent).toEqual(Array(2).fill({ tokens: "90", cost_micro: "7" }));
});

test("without a budget a call of a lost process is charged too, by nobody's call, and one that never began is forgotten", async () => {
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
    sql("SELECT tokens, cost_micro FROM evaluation.spending WHERE application_id = $1", [tenant.applicationId]);
  expect(await spent()).toEqual(Array(2).fill({ tokens: "180", cost_micro: "14" }));
  const open = await sql("SELECT id FROM evaluation.model_call WHERE application_id = $1 AND ended_at IS NULL", [
    tenant.applicationId,
  ]);
  expect(open).toEqual([{ id: inFlight }]);
  // What was charged as lost is not charged again when it ends all the same.
  await harness.budgets.settle(tenant, null, { id: late, tokens: 1, costMicro: 1 });
  expect(await spent()).toEqual(Array(2).fill({ tokens: "180", cost_micro: "14" }));
});

test("another application's spending is not seen", async () => {
  const other = testTenant();
  const rows = await own.withScope(other, Date.now() + 5_000, (tx) => tx.query("SELECT FROM evaluation.spending"));
  expect(rows).toEqual([]);
});

test("periods are those of UTC", () => {
  const at = new Date("2026-12-31T23:59:59.999Z");
  expect(startOf("month", at).toISOString()).toBe("2026-12-01T00:00:00.000Z");
  expect(endOf("month", at).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  expect([startOf("day", at), endOf("day", at)].map((date) => date.toISOString())).toEqual([
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
  expect(newShares(notified, shareOf(spent, 100n))).toEqual(announced);
});
