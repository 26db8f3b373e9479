import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import { SetWebhookRequestSchema, WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { startDnsServer } from "@ems/test-support/dns-server";
import { afterAll, expect, test } from "vitest";
import { notificationsHarness } from "../../test/harness.ts";

const dns = await startDnsServer();
afterAll(() => dns.close());
const { client, clock, database } = await notificationsHarness({
  DNS_SERVERS: dns.address,
  WEBHOOK_DNS_TIMEOUT_MS: "300",
});
const webhooks = client(WebhookService);
dns.set("receiver.example.com", ["93.184.216.34"]);
dns.set("private.example.com", ["10.1.2.3"]);
dns.set("half.example.com", ["93.184.216.34", "127.0.0.1"]);
dns.set("down.example.com", "SERVFAIL");

const url = "https://receiver.example.com/hook";
const other = "https://receiver.example.com/other";
type Tenant = ReturnType<typeof testTenant>;
const set = (tenant: Tenant, to: string, headers?: Record<string, string>) =>
  webhooks.setWebhook({ url: to, ...(headers && { headers: { values: headers } }) }, testCall(tenant));
const get = async (tenant: Tenant) => (await webhooks.getWebhook({}, testCall(tenant))).data;
const published = async ({ applicationId }: Tenant) => {
  const events = await outboxEvents(database, "notifications", { text: applicationId });
  return events.map(({ payload }) => JSON.parse(payload));
};

test("setting creates the webhook with a secret, and publishes it without secrets", async () => {
  const tenant = testTenant();
  expect(await get(tenant)).toBeUndefined();
  const { data } = await set(tenant, url, { authorization: "Bearer abc", "X-Team": "qa" });
  expect(data).toMatchObject({
    url,
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
    headers: { authorization: "Bearer abc", "X-Team": "qa" },
  });
  expect(Buffer.from(data?.webhookSecret.replace(/^whsec_/, "") ?? "", "base64")).toHaveLength(32);
  expect([data?.disabledAt, data?.disabledReason]).toEqual([undefined, undefined]);
  expect(await get(tenant)).toEqual(data);
  expect(await published(tenant)).toMatchObject([
    {
      type: "webhook.updated",
      data: {
        id: data?.id,
        url,
        headerNames: ["authorization", "X-Team"],
        disabledAt: null,
        modifiedAt: clock.now().toISOString(),
      },
    },
  ]);
});

test("absent headers keep the current ones, present ones replace all, and empty ones remove them", async () => {
  const tenant = testTenant();
  const first = await set(tenant, url, { a: "1", b: "2" });
  clock.advance(1_000);
  const moved = await set(tenant, other);
  expect(moved.data).toMatchObject({ ...first.data, url: other, modifiedAt: moved.data?.modifiedAt });
  expect(moved.data?.modifiedAt).not.toEqual(first.data?.modifiedAt);
  expect((await set(tenant, other, { c: "3" })).data?.headers).toEqual({ c: "3" });
  expect((await set(tenant, other, {})).data?.headers).toEqual({});
  expect((await published(tenant)).map(({ data }) => [data.url, data.headerNames])).toEqual([
    [url, ["a", "b"]],
    [other, ["a", "b"]],
    [other, ["c"]],
    [other, []],
  ]);
});

test("setting the same values changes and publishes nothing", async () => {
  const tenant = testTenant();
  const first = await set(tenant, url, { a: "1", b: "2" });
  clock.advance(1_000);
  expect(await set(tenant, url, { b: "2", a: "1" })).toEqual(first);
  expect(await set(tenant, url)).toEqual(first);
  expect(await published(tenant)).toHaveLength(1);
});

test("setting enables a disabled webhook, resets its failures, and publishes it", async () => {
  const tenant = testTenant();
  await set(tenant, url);
  await database.sql(
    `UPDATE notifications.webhook SET disabled_at = $2, disabled_reason = 'FAILING', failing_since = $2, failure_streak = 9
     WHERE application_id = $1`,
    [tenant.applicationId, clock.now()],
  );
  expect(await get(tenant)).toMatchObject({ disabledReason: "FAILING", disabledAt: expect.anything() });
  const { data } = await set(tenant, url);
  expect([data?.disabledAt, data?.disabledReason]).toEqual([undefined, undefined]);
  const rows = await database.sql(
    "SELECT failing_since, failure_streak FROM notifications.webhook WHERE application_id = $1",
    [tenant.applicationId],
  );
  expect(rows).toEqual([{ failing_since: null, failure_streak: 0 }]);
  expect(await published(tenant)).toHaveLength(2);
});

test.each([
  "http://receiver.example.com/",
  "https://receiver.example.com:80/",
  "https://user@receiver.example.com/",
  "https://receiver.example.com/#part",
  "https://receiver .example.com/",
  "https://\\receiver.example.com/",
  "https://localhost/",
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://private.example.com/",
  "https://half.example.com/",
  "https://unknown.example.com/",
])("%s is an issue of the URL, and nothing is stored", async (to) => {
  const tenant = testTenant();
  const error = await set(tenant, to).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: Code.InvalidArgument });
  expect(issuesOfError(error, SetWebhookRequestSchema)).toEqual([
    { code: "custom", message: "must be https and resolve to a public host", path: ["url"] },
  ]);
  expect(await get(tenant)).toBeUndefined();
});

test("unresponsive name servers make the call unavailable, and nothing changes", async () => {
  const tenant = testTenant();
  const before = await set(tenant, url);
  dns.set("silent.example.com", "silence");
  for (const name of ["down", "silent"]) {
    const failing = set(tenant, `https://${name}.example.com/`);
    await expect(failing).rejects.toMatchObject({ code: Code.Unavailable });
  }
  expect(await get(tenant)).toEqual(before.data);
});

test("twenty concurrent calls create one webhook, and each response contains it", async () => {
  const tenant = testTenant();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => set(tenant, `${url}/${n % 2}`)));
  const [ids, secrets] = [answers.map(({ data }) => data?.id), answers.map(({ data }) => data?.webhookSecret)];
  expect([new Set(ids).size, new Set(secrets).size]).toEqual([1, 1]);
  expect(await get(tenant)).toMatchObject({ id: ids[0], webhookSecret: secrets[0] });
  // One event per change. Setting the current address again is not a change, so the addresses alternate.
  const urls = (await published(tenant)).map(({ data }) => data.url);
  const [even, odd] = [0, 1].map((n) => urls.filter((sent) => sent === `${url}/${n}`).length);
  expect(Math.abs((even ?? 0) - (odd ?? 0))).toBeLessThanOrEqual(1);
});

test("a repeated request returns the current webhook, or a conflict if it was deleted", async () => {
  const tenant = testTenant();
  const callOptions = testCall(tenant);
  const call = { ...callOptions, headers: { ...callOptions.headers, [idempotencyKeyHeader]: newId() } };
  const first = await webhooks.setWebhook({ url }, call);
  expect(await webhooks.setWebhook({ url }, call)).toEqual(first);
  const moved = await set(tenant, other);
  expect(await webhooks.setWebhook({ url }, call)).toEqual(moved);
  expect(await published(tenant)).toHaveLength(2);

  await webhooks.deleteWebhook({}, testCall(tenant));
  await expect(webhooks.setWebhook({ url }, call)).rejects.toMatchObject({ code: Code.AlreadyExists });
  await set(tenant, url);
  await expect(webhooks.setWebhook({ url }, call)).rejects.toMatchObject({ code: Code.AlreadyExists });
});

test("another application's webhook is neither returned nor changed", async () => {
  const [ours, theirs] = [testTenant(), testTenant()];
  const { data } = await set(theirs, url);
  expect(await get(ours)).toBeUndefined();
  await set(ours, other);
  await webhooks.deleteWebhook({}, testCall(ours));
  expect(await get(theirs)).toEqual(data);
});

test("a secret sealed for one application cannot be decrypted for another", async () => {
  const [ours, theirs] = [testTenant(), testTenant()];
  await set(theirs, url, { authorization: "Bearer theirs" });
  await set(ours, url);
  await database.sql(
    `UPDATE notifications.webhook w SET headers = t.headers FROM notifications.webhook t
     WHERE w.application_id = $1 AND t.application_id = $2`,
    [ours.applicationId, theirs.applicationId],
  );
  await expect(get(ours)).rejects.toMatchObject({ code: Code.Internal });
});
