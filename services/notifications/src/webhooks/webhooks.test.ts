import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { addDelivery, loopbackAllowed, notificationsHarness, nowhere as url } from "../../test/harness.ts";

const { client, clock, database } = await notificationsHarness(loopbackAllowed);
const webhooks = client(WebhookService);
const hourMs = 3_600_000;
type Tenant = ReturnType<typeof testTenant>;
const keyed = (tenant: Tenant) => {
  const call = testCall(tenant);
  return { ...call, headers: { ...call.headers, [idempotencyKeyHeader]: newId() } };
};
const row = async ({ applicationId }: Tenant) =>
  (await database.sql("SELECT * FROM notifications.webhook WHERE application_id = $1", [applicationId]))[0];

test("a rotation creates a new secret, keeps the previous one for 24 hours, and publishes the webhook", async () => {
  const tenant = testTenant();
  await expect(webhooks.rotateWebhookSecret({}, testCall(tenant))).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "Webhook not found",
  });
  const before = await webhooks.setWebhook({ url, headers: { values: { a: "1" } } }, testCall(tenant));
  const sealed = (await row(tenant))?.secret;
  clock.advance(1_000);
  const { data } = await webhooks.rotateWebhookSecret({}, testCall(tenant));
  expect(data).toMatchObject({ id: before.data?.id, url, headers: { a: "1" } });
  expect(data?.webhookSecret).not.toBe(before.data?.webhookSecret);
  expect(await row(tenant)).toMatchObject({
    previous_secret: sealed,
    previous_secret_until: new Date(clock.now().getTime() + 24 * hourMs),
    modified_at: clock.now(),
  });
  const events = await database.sql("SELECT type FROM notifications.outbox WHERE application_id = $1", [
    tenant.applicationId,
  ]);
  expect(events).toEqual([{ type: "webhook.updated" }, { type: "webhook.updated" }]);
});

test("a repeated rotation request rotates once and returns the same secret", async () => {
  const tenant = testTenant();
  await webhooks.setWebhook({ url }, testCall(tenant));
  const call = keyed(tenant);
  const first = await webhooks.rotateWebhookSecret({}, call);
  expect(await webhooks.rotateWebhookSecret({}, call)).toEqual(first);
});

test("deleting cancels pending deliveries, keeps ended ones, and is idempotent", async () => {
  const [tenant, other] = [testTenant(), testTenant()];
  await webhooks.deleteWebhook({}, testCall(tenant));
  await webhooks.setWebhook({ url }, testCall(tenant));
  const theirs = await addDelivery(database, other, { status: "PENDING" });
  const ids: Record<string, string> = {};
  for (const status of ["PENDING", "DELIVERED", "FAILED"] as const)
    ids[status] = (await addDelivery(database, tenant, { status })).id;
  await webhooks.deleteWebhook({}, testCall(tenant));
  await webhooks.deleteWebhook({}, testCall(tenant));
  expect((await webhooks.getWebhook({}, testCall(tenant))).data).toBeUndefined();
  const statuses = await database.sql<{ id: string; status: string }>(
    "SELECT id, status FROM notifications.delivery WHERE application_id = ANY ($1)",
    [[tenant.applicationId, other.applicationId]],
  );
  expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
    [ids.PENDING ?? ""]: "CANCELLED",
    [ids.DELIVERED ?? ""]: "DELIVERED",
    [ids.FAILED ?? ""]: "FAILED",
    [theirs.id]: "PENDING",
  });
});

test("a webhook that is set after a deletion has another ID and secret", async () => {
  const tenant = testTenant();
  const { data: first } = await webhooks.setWebhook({ url }, testCall(tenant));
  await webhooks.deleteWebhook({}, testCall(tenant));
  const { data: second } = await webhooks.setWebhook({ url }, testCall(tenant));
  expect(second?.id).not.toBe(first?.id);
  expect(second?.webhookSecret).not.toBe(first?.webhookSecret);
});

test("no secret and no header value is stored in plaintext, with or without idempotency keys", async () => {
  const tenant = testTenant();
  const headers = { values: { authorization: "Bearer to-be-found-nowhere" } };
  const clear = [headers.values.authorization];
  const remember = (secret = "") => clear.push(secret, secret.slice("whsec_".length));
  for (const call of [testCall(tenant), keyed(tenant)]) {
    remember((await webhooks.setWebhook({ url, headers }, call)).data?.webhookSecret);
    remember((await webhooks.rotateWebhookSecret({}, call)).data?.webhookSecret);
    await webhooks.setWebhook({ url, headers }, keyed(tenant));
  }
  clear.push(...clear.map((text) => Buffer.from(text).toString("hex")));
  const tables = await database.sql<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'notifications'",
  );
  let rows = 0;
  for (const { name } of tables) {
    // The text of a row contains all columns, with bytes in hexadecimal.
    for (const { text } of await database.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)) {
      rows++;
      expect(clear.filter((secret) => text.includes(secret))).toEqual([]);
    }
  }
  expect(rows).toBeGreaterThan(6);
});
