import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { testCall, testTenant } from "@ems/test-support";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { addAttempt, addDelivery, loopbackAllowed, notificationsHarness, nowhere as url } from "../../test/harness.ts";
import { sign } from "../deliveries/worker/signed-request.ts";

const { client, clock, database } = await notificationsHarness(loopbackAllowed);
const webhooks = client(WebhookService);
type Tenant = ReturnType<typeof testTenant>;
const nowSeconds = () => clock.now().getTime() / 1000;

async function withSecret() {
  const tenant = testTenant();
  const { data } = await webhooks.setWebhook({ url }, testCall(tenant));
  return { tenant, secret: data?.webhookSecret ?? "" };
}
async function isValid(tenant: Tenant, signature: string, body: JsonValue, timestamp: JsonValue = nowSeconds()) {
  const request = {
    signature,
    timestamp: fromJson(ValueSchema, timestamp),
    body: fromJson(ValueSchema, body),
  };
  return (await webhooks.validateWebhook(request, testCall(tenant))).valid;
}

test("a sent body is valid as text, parsed or reserialized, with our signature or the official library's", async () => {
  const { tenant, secret } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const official = new Webhook(secret).sign(id, clock.now(), payload);
  expect(official).toBe(sign(secret, id, nowSeconds(), payload));
  const { data, ...rest } = JSON.parse(payload);
  const bodies = [JSON.parse(payload), { data, ...rest }, payload, JSON.stringify({ data, ...rest }, null, 2)];
  for (const body of bodies) expect(await isValid(tenant, official, body)).toBe(true);
});

test("one valid signature is enough, at any place among others", async () => {
  const { tenant, secret } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const [good, bad] = [sign(secret, id, nowSeconds(), payload), `v1,${Buffer.alloc(32).toString("base64")}`];
  for (const signatures of [`${bad} ${good}`, `${good} ${bad}`, `v2,x  ${good}`]) {
    expect([signatures, await isValid(tenant, signatures, payload)]).toEqual([signatures, true]);
  }
  for (const signatures of [bad, good.slice(0, -2), good.replace("v1", "v1a"), `${good}x`, good.slice(3), ","]) {
    expect([signatures, await isValid(tenant, signatures, payload)]).toEqual([signatures, false]);
  }
});

test("a changed, foreign, unknown or unreadable body is not valid", async () => {
  const { tenant, secret } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const signature = sign(secret, id, nowSeconds(), payload);
  const event = JSON.parse(payload);
  const other = await addDelivery(database, tenant);
  const bodies: JsonValue[] = [
    { ...event, type: "topic.archived" },
    { ...event, extra: 1 },
    { ...event, id: other.id },
    JSON.parse(other.payload),
    { ...event, id: newId() },
    { ...event, id: id.toUpperCase() },
    { ...event, id: 7 },
    payload.slice(1),
    JSON.stringify(payload),
    ...["", "null", "{", null, true, 7, [], [event], {}],
  ];
  for (const body of bodies) expect([body, await isValid(tenant, signature, body)]).toEqual([body, false]);
  expect(await isValid(tenant, signature, payload)).toBe(true);
});

test("a delivery is valid within 5 minutes of its time, before and after", async () => {
  const { tenant, secret } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const at = (timestamp: number | string, claimed: JsonValue = timestamp) =>
    isValid(tenant, sign(secret, id, timestamp, payload), payload, claimed);
  for (const off of [0, 300, -300]) expect(await at(nowSeconds() + off)).toBe(true);
  for (const off of [301, -301]) expect(await at(nowSeconds() + off)).toBe(false);
  const [seconds, instant] = [nowSeconds(), clock.now().toISOString()];
  for (const form of [
    seconds,
    String(seconds),
    seconds * 1000 + 5,
    `${seconds * 1000}`,
    instant,
    instant.slice(0, 19),
  ]) {
    expect([form, await at(seconds, form)]).toEqual([form, true]);
  }
  for (const odd of [
    `${nowSeconds()}.0`,
    `+${nowSeconds()}`,
    "now",
    "-1",
    "9".repeat(20),
    `0x${nowSeconds().toString(16)}`,
  ]) {
    expect([odd, await at(odd)]).toEqual([odd, false]);
  }
  // The signature also covers the time.
  expect(await isValid(tenant, sign(secret, id, nowSeconds(), payload), payload, nowSeconds() + 1)).toBe(false);
});

test("without a timestamp a body is valid if an attempt of the last 5 minutes is recorded or in progress", async () => {
  const { tenant, secret } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const startedAt = new Date(clock.now().getTime() - 200_000);
  await addAttempt(database, tenant, id, { startedAt });
  const signedAt = (seconds: number) => isValid(tenant, sign(secret, id, seconds, payload), payload, null);
  for (const ago of [0, 30, 200]) expect([ago, await signedAt(nowSeconds() - ago)]).toEqual([ago, true]);
  for (const ago of [-1, 31, 100, 301]) expect([ago, await signedAt(nowSeconds() - ago)]).toEqual([ago, false]);
  clock.advance(101_000);
  expect(await isValid(tenant, sign(secret, id, startedAt.getTime() / 1000, payload), payload, null)).toBe(false);
});

test("after a rotation both secrets are valid for 24 hours, then only the new one", async () => {
  const { tenant, secret: old } = await withSecret();
  const { id, payload } = await addDelivery(database, tenant);
  const { data } = await webhooks.rotateWebhookSecret({}, testCall(tenant));
  const valid = () =>
    Promise.all(
      [old, data?.webhookSecret ?? ""].map((secret) =>
        isValid(tenant, sign(secret, id, nowSeconds(), payload), payload),
      ),
    );
  expect(await valid()).toEqual([true, true]);
  clock.advance(24 * 3_600_000 - 1_000);
  expect(await valid()).toEqual([true, true]);
  clock.advance(1_000);
  expect(await valid()).toEqual([false, true]);
});

test("without a webhook, with another's secret, or for another application nothing is valid", async () => {
  const [{ tenant, secret }, theirs] = [await withSecret(), await withSecret()];
  const { id, payload } = await addDelivery(database, tenant);
  const signature = sign(secret, id, nowSeconds(), payload);
  expect(await isValid(theirs.tenant, signature, payload)).toBe(false);
  expect(await isValid(tenant, sign(theirs.secret, id, nowSeconds(), payload), payload)).toBe(false);
  expect(await isValid(testTenant(), signature, payload)).toBe(false);
  await webhooks.deleteWebhook({}, testCall(tenant));
  expect(await isValid(tenant, signature, payload)).toBe(false);
});
