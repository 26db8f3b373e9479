import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { makeStorable } from "@ems/kit/readers";
import { keptSince } from "@ems/kit/retention";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import {
  DeliveryOrder,
  DeliveryService,
  DeliveryStatus,
  RecoverDeliveriesRequestSchema,
} from "@ems/proto/notifications/v1/delivery_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { addAttempt, addDelivery, loopbackAllowed, notificationsHarness, nowhere } from "../../test/harness.ts";

const { client, clock, database } = await notificationsHarness(loopbackAllowed);
const [webhooks, deliveries] = [client(WebhookService), client(DeliveryService)];
type Tenant = ReturnType<typeof testTenant>;
const at = (offsetMs: number) => new Date(clock.now().getTime() + offsetMs);
const timestamp = (offsetMs: number): Timestamp => timestampFromDate(at(offsetMs));
const dayMs = 24 * 3_600_000;

async function withWebhook(): Promise<{ tenant: Tenant; webhookId: string }> {
  const tenant = testTenant();
  const { data } = await webhooks.setWebhook({ url: nowhere }, testCall(tenant));
  return { tenant, webhookId: data?.id ?? "" };
}
async function disable({ applicationId }: Tenant): Promise<void> {
  await database.sql(
    "UPDATE notifications.webhook SET disabled_at = now(), disabled_reason = 'GONE' WHERE application_id = $1",
    [applicationId],
  );
}
const stored = async ({ applicationId }: Tenant, id: string) =>
  (
    await database.sql("SELECT * FROM notifications.delivery WHERE application_id = $1 AND id = $2", [
      applicationId,
      id,
    ])
  )[0];

test("deliveries are listed by status, type and time, page by page, newest first", async () => {
  const [tenant, other] = [testTenant(), testTenant()];
  await addDelivery(database, other);
  const oldest = await addDelivery(database, tenant, { type: "topic.archived", createdAt: at(-3_000) });
  const failed = await addDelivery(database, tenant, {
    status: "FAILED",
    createdAt: at(-2_000),
    attemptCount: 10,
    lastOutcome: "HTTP_STATUS",
    lastStatusCode: 503,
  });
  const newest = await addDelivery(database, tenant, { status: "PENDING", createdAt: at(-1_000) });
  const list = async (request: Parameters<typeof deliveries.listDeliveries>[0]) => {
    const { data, pagination } = await deliveries.listDeliveries(request, testCall(tenant));
    return { ids: data.map(({ id }) => id), total: pagination?.total, data };
  };

  const { data, ...all } = await list({});
  expect(all).toEqual({ ids: [newest.id, failed.id, oldest.id], total: 3n });
  expect(data[1]).toMatchObject({
    type: "topic.created",
    status: DeliveryStatus.FAILED,
    attemptCount: 10,
    lastOutcome: "HTTP_STATUS",
    lastStatusCode: 503,
    createdAt: timestampFromDate(failed.createdAt),
  });
  expect(data.map(({ nextAttemptAt }) => nextAttemptAt !== undefined)).toEqual([true, false, false]);
  expect((await list({ orderDir: OrderDirection.ASC, limit: 2, skip: 1n })).ids).toEqual([failed.id, newest.id]);
  expect((await list({ orderBy: DeliveryOrder.ID, orderDir: OrderDirection.ASC })).ids).toEqual([...all.ids].sort());
  const { FAILED, PENDING } = DeliveryStatus;
  expect(await list({ status: [FAILED, PENDING], limit: 1 })).toMatchObject({ ids: [newest.id], total: 2n });
  expect((await list({ type: ["topic.archived", "task.tagged"] })).ids).toEqual([oldest.id]);
  expect((await list({ startDate: timestamp(-2_000), endDate: timestamp(-1_000) })).ids).toEqual([
    newest.id,
    failed.id,
  ]);
  expect((await list({ startDate: timestamp(-999) })).ids).toEqual([]);
});

test("a delivery is returned with its event and every attempt, oldest first", async () => {
  const tenant = testTenant();
  const { id, payload } = await addDelivery(database, tenant);
  await addAttempt(database, tenant, id, {
    number: 2,
    statusCode: 204,
    responseBody: makeStorable(""),
    remoteAddress: "93.184.216.34",
  });
  await addAttempt(database, tenant, id, { number: 1, outcome: "TIMEOUT", durationMs: 15_000 });
  const { data, event, attempts } = await deliveries.getDelivery({ id }, testCall(tenant));
  expect(data?.id).toBe(id);
  expect(event).toEqual(JSON.parse(payload));
  expect(attempts).toMatchObject([
    { number: 1, outcome: "TIMEOUT", durationMs: 15_000 },
    { number: 2, outcome: "DELIVERED", statusCode: 204, responseBody: "", remoteAddress: "93.184.216.34" },
  ]);
  expect([attempts[0]?.statusCode, attempts[0]?.responseBody]).toEqual([undefined, undefined]);
  const none = await deliveries.getDelivery({ id: (await addDelivery(database, tenant)).id }, testCall(tenant));
  expect(none.attempts).toEqual([]);
});

test("past its retention a delivery is neither returned nor resent, even before its deletion", async () => {
  const { tenant, webhookId } = await withWebhook();
  const border = keptSince(clock.now(), 30).getTime() - clock.now().getTime();
  const old = await addDelivery(database, tenant, { webhookId, status: "FAILED", createdAt: at(border - 1) });
  const young = await addDelivery(database, tenant, { webhookId, status: "FAILED", createdAt: at(border) });
  const { data, pagination } = await deliveries.listDeliveries({}, testCall(tenant));
  expect([data.map(({ id }) => id), pagination?.total]).toEqual([[young.id], 1n]);
  const notFound = { code: Code.NotFound, rawMessage: "Delivery not found" };
  await expect(deliveries.getDelivery({ id: old.id }, testCall(tenant))).rejects.toMatchObject(notFound);
  await expect(deliveries.resendDelivery({ id: old.id }, testCall(tenant))).rejects.toMatchObject(notFound);
  expect((await deliveries.getDelivery({ id: young.id }, testCall(tenant))).data?.id).toBe(young.id);
});

test("another application's delivery is not found and not changed", async () => {
  const [{ tenant: ours }, { tenant: theirs }] = [await withWebhook(), await withWebhook()];
  const { id } = await addDelivery(database, theirs, { status: "FAILED" });
  for (const unknown of [id, newId()]) {
    const notFound = { code: Code.NotFound, rawMessage: "Delivery not found" };
    await expect(deliveries.getDelivery({ id: unknown }, testCall(ours))).rejects.toMatchObject(notFound);
    await expect(deliveries.resendDelivery({ id: unknown }, testCall(ours))).rejects.toMatchObject(notFound);
  }
  expect((await deliveries.recoverDeliveries({ since: timestamp(-dayMs) }, testCall(ours))).count).toBe(0n);
  expect(await stored(theirs, id)).toMatchObject({ status: "FAILED" });
});

test.each(["DELIVERED", "FAILED", "CANCELLED"] as const)(
  "a %s delivery is resent at once, from the start of its schedule and to the current webhook",
  async (status) => {
    const { tenant, webhookId } = await withWebhook();
    const overrides = { status, attemptCount: 10, scheduleStep: 10, lastOutcome: "TIMEOUT" };
    const { id } = await addDelivery(database, tenant, overrides);
    const { data } = await deliveries.resendDelivery({ id }, testCall(tenant));
    expect(data).toMatchObject({ id, status: DeliveryStatus.PENDING, attemptCount: 10, lastOutcome: "TIMEOUT" });
    expect(data?.nextAttemptAt && timestampDate(data.nextAttemptAt)).toEqual(clock.now());
    expect(await stored(tenant, id)).toMatchObject({ schedule_step: 0, webhook_id: webhookId, leased_until: null });
  },
);

test("resending a delivery with a lease revokes the lease, so that another attempt follows", async () => {
  const { tenant } = await withWebhook();
  const { id } = await addDelivery(database, tenant, { status: "PENDING", leasedUntil: at(30_000) });
  await deliveries.resendDelivery({ id }, testCall(tenant));
  expect(await stored(tenant, id)).toMatchObject({ status: "PENDING", leased_until: null });
});

test("a resend needs an enabled webhook", async () => {
  const bare = testTenant();
  const { tenant: disabled } = await withWebhook();
  await disable(disabled);
  for (const tenant of [bare, disabled]) {
    const { id } = await addDelivery(database, tenant, { status: "FAILED" });
    const refused = { code: Code.FailedPrecondition };
    await expect(deliveries.resendDelivery({ id }, testCall(tenant))).rejects.toMatchObject(refused);
    const recovering = deliveries.recoverDeliveries({ since: timestamp(-dayMs) }, testCall(tenant));
    await expect(recovering).rejects.toMatchObject(refused);
    expect(await stored(tenant, id)).toMatchObject({ status: "FAILED" });
  }
});

test("a recovery resends exactly what failed since the requested time", async () => {
  const { tenant, webhookId } = await withWebhook();
  const since = at(-dayMs);
  const add = (overrides: Parameters<typeof addDelivery>[2]) =>
    addDelivery(database, tenant, { createdAt: at(-1), ...overrides });
  const failed = [
    await add({ status: "FAILED", createdAt: since }),
    await add({ status: "FAILED", scheduleStep: 10 }),
    await add({ status: "PENDING", scheduleStep: 4, attemptCount: 4, nextAttemptAt: at(7_200_000) }),
  ];
  const left = [
    await add({ status: "FAILED", createdAt: new Date(since.getTime() - 1) }),
    await add({ status: "DELIVERED" }),
    await add({ status: "CANCELLED" }),
    await add({ status: "FAILED", type: "webhook.test" }),
  ];
  const due = await add({ status: "PENDING", scheduleStep: 4, leasedUntil: at(30_000), nextAttemptAt: at(0) });
  const call = testCall(tenant);
  const keyed = { ...call, headers: { ...call.headers, [idempotencyKeyHeader]: newId() } };
  expect((await deliveries.recoverDeliveries({ since: timestampFromDate(since) }, keyed)).count).toBe(3n);
  for (const { id } of failed) {
    expect(await stored(tenant, id)).toMatchObject({ status: "PENDING", schedule_step: 0, webhook_id: webhookId });
    expect((await stored(tenant, id))?.next_attempt_at).toEqual(clock.now());
  }
  for (const { id } of left) expect((await stored(tenant, id))?.status).not.toBe("PENDING");
  // A delivery that is due is not resent, because it may be in progress.
  expect(await stored(tenant, due.id)).toMatchObject({ schedule_step: 4, leased_until: at(30_000) });
  // A repeated call returns the first call's result; a different call finds nothing to do.
  expect((await deliveries.recoverDeliveries({ since: timestampFromDate(since) }, keyed)).count).toBe(3n);
  expect((await deliveries.recoverDeliveries({ since: timestampFromDate(since) }, call)).count).toBe(0n);
});

test("a recovery reaches back at most 14 days, and not into the future", async () => {
  const { tenant } = await withWebhook();
  const recover = (offsetMs: number) => deliveries.recoverDeliveries({ since: timestamp(offsetMs) }, testCall(tenant));
  for (const good of [0, -14 * dayMs]) expect((await recover(good)).count).toBe(0n);
  for (const [bad, message] of [
    [1, "must not be in the future"],
    [-14 * dayMs - 1, "must be at most 14 days ago"],
  ] as const) {
    const error = await recover(bad).catch((thrown) => thrown);
    const issue = { code: "custom", message, path: ["since"] };
    expect(issuesOfError(error, RecoverDeliveriesRequestSchema)).toEqual([issue]);
  }
});

test("20,000 deliveries are recovered by one call before its deadline", async () => {
  const { tenant } = await withWebhook();
  await database.sql(
    `INSERT INTO notifications.delivery (application_id, id, org_id, webhook_id, type, payload, status, created_at, schedule_steps)
     SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 'topic.created', '{}', 'FAILED', $3, 10 FROM generate_series(1, 20000)`,
    [tenant.applicationId, tenant.orgId, clock.now()],
  );
  expect((await deliveries.recoverDeliveries({ since: timestamp(0) }, testCall(tenant))).count).toBe(20_000n);
});
