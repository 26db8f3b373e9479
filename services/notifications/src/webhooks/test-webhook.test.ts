import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { addAttempt, addDelivery, loopbackAllowed, notificationsHarness, nowhere } from "../../test/harness.ts";
import type { AttemptRow } from "../deliveries/entity.ts";

const { client, database } = await notificationsHarness(loopbackAllowed);
const webhooks = client(WebhookService);
type Tenant = ReturnType<typeof testTenant>;
const readTests = ({ applicationId }: Tenant) =>
  database.sql<{
    id: string;
    webhook_id: string;
    status: string;
    schedule_steps: number;
    payload: string;
    next_attempt_at: Date;
  }>("SELECT * FROM notifications.delivery WHERE application_id = $1 AND type = 'webhook.test'", [applicationId]);
async function withWebhook() {
  const tenant = testTenant();
  const { data } = await webhooks.setWebhook({ url: nowhere }, testCall(tenant));
  return { tenant, webhookId: data?.id };
}
/** Waits until the delivery exists. A worker cannot read it before it is committed. */
const due = (tenant: Tenant) =>
  vi.waitFor(
    async () => {
      const [delivery] = await readTests(tenant);
      if (delivery === undefined) throw new Error("no delivery yet");
      return delivery;
    },
    { timeout: 60_000, interval: 20 },
  );

test("a test is one delivery with one attempt, and the response has its outcome", async () => {
  const { tenant, webhookId } = await withWebhook();
  const answer = webhooks.testWebhook({}, testCall(tenant));
  const { id, ...delivery } = await due(tenant);
  expect(delivery).toMatchObject({ webhook_id: webhookId, status: "PENDING", schedule_steps: 1 });
  expect(JSON.parse(delivery.payload)).toMatchObject({
    id,
    type: "webhook.test",
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
    data: { webhookId },
  });
  await addAttempt(database, tenant, id, { statusCode: 204 });
  const { success, statusCode, error } = await answer;
  expect({ success, statusCode, error }).toEqual({ success: true, statusCode: 204, error: undefined });
});

test("a test is due before all pending deliveries", async () => {
  const { tenant } = await withWebhook();
  const longAgo = new Date("2026-01-01T00:00:00.000Z");
  await addDelivery(database, tenant, { status: "PENDING", createdAt: longAgo });
  const answer = webhooks.testWebhook({}, testCall(tenant));
  const { id, next_attempt_at } = await due(tenant);
  expect(next_attempt_at.getTime()).toBe(longAgo.getTime() - 1);
  await addAttempt(database, tenant, id, { statusCode: 204 });
  await answer;
});

test.each<[Partial<AttemptRow>, string]>([
  [{ outcome: "HTTP_STATUS", statusCode: 500 }, "The receiver answered 500"],
  [{ outcome: "REDIRECT", statusCode: 302 }, "The receiver answered with a redirect; redirects are not followed"],
  [{ outcome: "GONE", statusCode: 410 }, "The receiver answered 410 Gone: the webhook is disabled"],
  [{ outcome: "TIMEOUT" }, "The receiver did not answer in time"],
  [{ outcome: "CERTIFICATE" }, "The receiver's certificate is not valid"],
  [{ outcome: "SOMETHING_NEW" }, "The attempt failed"],
])("%j is reported in a sentence", async (attempt, sentence) => {
  const { tenant } = await withWebhook();
  const answer = webhooks.testWebhook({}, testCall(tenant));
  await addAttempt(database, tenant, (await due(tenant)).id, attempt);
  const { success, statusCode, error } = await answer;
  expect({ success, statusCode, error }).toEqual({
    success: false,
    statusCode: attempt.statusCode ?? undefined,
    error: sentence,
  });
});

test("waiting holds no connection, and ends with a message if the attempt has not ended", async () => {
  const tenants = await Promise.all(Array.from({ length: 8 }, async () => (await withWebhook()).tenant));
  const waiting = tenants.flatMap((tenant) =>
    Array.from({ length: 4 }, () => webhooks.testWebhook({}, testCall(tenant, 5_000))),
  );
  for (const tenant of tenants) await expect.poll(() => readTests(tenant)).toHaveLength(4);
  const idle = () =>
    database.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'");
  await expect.poll(idle).toEqual([]);
  for (const { success, error } of await Promise.all(waiting)) {
    const sentence = "The attempt has not ended yet; its outcome will appear in the list of deliveries";
    expect({ success, error }).toEqual({ success: false, error: sentence });
  }
});

test("an application may wait for four tests; a fifth is rejected without a delivery", async () => {
  const [{ tenant }, other] = [await withWebhook(), await withWebhook()];
  const waiting = Array.from({ length: 4 }, () => webhooks.testWebhook({}, testCall(tenant)));
  await expect.poll(() => readTests(tenant)).toHaveLength(4);
  const refused = await webhooks.testWebhook({}, testCall(tenant)).catch((error) => error);
  expect(refused).toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: "Too many webhook tests of this application at once",
  });
  expect(refused.metadata.get("retry-after")).toBe("1");
  const theirs = webhooks.testWebhook({}, testCall(other.tenant));
  await addAttempt(database, other.tenant, (await due(other.tenant)).id, { statusCode: 204 });
  expect(await theirs).toMatchObject({ success: true });
  const tests = await readTests(tenant);
  expect(tests).toHaveLength(4);
  for (const { id } of tests) await addAttempt(database, tenant, id, { statusCode: 204 });
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ success: true });
  const repeat = webhooks.testWebhook({}, testCall(tenant));
  await expect.poll(() => readTests(tenant)).toHaveLength(5);
  for (const { id } of await readTests(tenant)) {
    if (!tests.some((test) => test.id === id)) await addAttempt(database, tenant, id, { statusCode: 204 });
  }
  expect(await repeat).toMatchObject({ success: true });
});

test("a canceled caller stops waiting and frees its place", async () => {
  const { tenant } = await withWebhook();
  const gone = new AbortController();
  const waiting = Array.from({ length: 4 }, () =>
    webhooks.testWebhook({}, { ...testCall(tenant), signal: gone.signal }).catch((error) => error),
  );
  await expect.poll(() => readTests(tenant)).toHaveLength(4);
  gone.abort();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: Code.Canceled });
  const repeat = () =>
    webhooks.testWebhook({}, testCall(tenant, 1_500)).then(
      () => "waited",
      () => "refused",
    );
  await expect.poll(repeat).toBe("waited");
});

test("a test whose webhook is deleted meanwhile is canceled and says so", async () => {
  const { tenant } = await withWebhook();
  const answer = webhooks.testWebhook({}, testCall(tenant));
  await due(tenant);
  await webhooks.deleteWebhook({}, testCall(tenant));
  expect(await answer).toMatchObject({ success: false, error: "The webhook was deleted before the attempt" });
});

test("a repeated request returns the outcome of the same delivery", async () => {
  const { tenant } = await withWebhook();
  const call = testCall(tenant);
  const keyed = { ...call, headers: { ...call.headers, [idempotencyKeyHeader]: newId() } };
  const first = webhooks.testWebhook({}, keyed);
  const { id } = await due(tenant);
  // The transaction of the first call ends before the call waits, so the repeated call has to wait too.
  const early = webhooks.testWebhook({}, keyed);
  await addAttempt(database, tenant, id, { statusCode: 200 });
  const answers = [...(await Promise.all([first, early])), await webhooks.testWebhook({}, keyed)];
  for (const answer of answers) expect(answer).toMatchObject({ success: true, statusCode: 200 });
  expect(await readTests(tenant)).toHaveLength(1);
});

test("a disabled webhook can be tested; one that is disabled meanwhile says so", async () => {
  const { tenant } = await withWebhook();
  await database.sql(
    "UPDATE notifications.webhook SET disabled_at = now(), disabled_reason = 'GONE' WHERE application_id = $1",
    [tenant.applicationId],
  );
  const answer = webhooks.testWebhook({}, testCall(tenant));
  const { id } = await due(tenant);
  await database.sql(
    "UPDATE notifications.delivery SET status = 'FAILED', next_attempt_at = NULL, last_outcome = 'DISABLED' WHERE id = $1",
    [id],
  );
  expect(await answer).toMatchObject({ success: false, error: "The webhook was disabled before the attempt" });
});

test("a test whose host cannot be resolved says so", async () => {
  const { tenant } = await withWebhook();
  const answer = webhooks.testWebhook({}, testCall(tenant));
  const { id } = await due(tenant);
  await database.sql(
    "UPDATE notifications.delivery SET status = 'FAILED', next_attempt_at = NULL, last_outcome = 'RESOLVER' WHERE id = $1",
    [id],
  );
  const error = "The name servers do not answer for the host of the URL";
  expect(await answer).toMatchObject({ success: false, error });
});

test("without a webhook a test fails", async () => {
  const bare = testTenant();
  const missing = { code: Code.NotFound, rawMessage: "Webhook not found" };
  await expect(webhooks.testWebhook({}, testCall(bare))).rejects.toMatchObject(missing);
  expect(await readTests(bare)).toEqual([]);
});
