// End-to-end deliveries through the API: a worker, and a receiver with TLS, a host name and a certificate authority.

import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { DeliveryService, DeliveryStatus } from "@ems/proto/notifications/v1/delivery_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { testCall } from "@ems/test-support";
import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test, vi } from "vitest";
import { addDelivery, notificationsHarness } from "../../test/harness.ts";

const end = await startWebhookNetwork();
afterAll(() => end.close());
const receiver = await end.receiver("hooks.example.com");
const { client, clock, database, tenant } = await notificationsHarness(end.env, { bus: inProcessBus() });
const [webhooks, deliveries] = [client(WebhookService), client(DeliveryService)];
const url = `${receiver.origin}/events`;
const headers = { values: { authorization: "Bearer receivers-own", "X-Team": "qa" } };
const set = await webhooks.setWebhook({ url, headers }, testCall(tenant));
const oldSecret = set.data?.webhookSecret ?? "";

const soon = { timeout: 60_000, interval: 20 };
const received = (id: string) => receiver.requests.filter((request) => request.id === id);
const ended = (id: string, status: DeliveryStatus) =>
  vi.waitFor(async () => {
    const found = await deliveries.getDelivery({ id }, testCall(tenant));
    expect(found.data?.status).toBe(status);
    return found;
  }, soon);

test("setting the webhook delivers an event to it", async () => {
  const { id } = await vi.waitFor(async () => {
    const { data } = await deliveries.listDeliveries({ type: ["webhook.updated"] }, testCall(tenant));
    return data[0] ?? Promise.reject(new Error("no event has come yet"));
  }, soon);
  await ended(id, DeliveryStatus.DELIVERED);
  const [request] = received(id);
  expect(JSON.parse(request?.body ?? "")).toMatchObject({
    id,
    type: "webhook.updated",
    data: { id: set.data?.id, url, headerNames: ["authorization", "X-Team"], disabledAt: null },
  });
});

test("a test is received with its headers and a valid signature, equal to the official library's", async () => {
  const { success, statusCode, error } = await webhooks.testWebhook({}, testCall(tenant));
  expect({ success, statusCode, error }).toEqual({ success: true, statusCode: 200, error: undefined });
  const { data } = await deliveries.listDeliveries({ type: ["webhook.test"] }, testCall(tenant));
  const id = data[0]?.id ?? "";
  const [request] = received(id);
  expect(request).toMatchObject({ method: "POST", path: "/events" });
  expect(request?.headers).toMatchObject({ authorization: "Bearer receivers-own", "x-team": "qa" });
  const signature = String(request?.headers["webhook-signature"]);
  const timestamp = String(request?.headers["webhook-timestamp"]);
  expect(new Webhook(oldSecret).sign(id, new Date(Number(timestamp) * 1000), request?.body ?? "")).toBe(signature);
  const body = fromJson(ValueSchema, JSON.parse(request?.body ?? ""));
  const validation = { signature, timestamp: fromJson(ValueSchema, timestamp), body };
  expect((await webhooks.validateWebhook(validation, testCall(tenant))).valid).toBe(true);

  const { event, attempts } = await ended(id, DeliveryStatus.DELIVERED);
  expect(event).toEqual(JSON.parse(request?.body ?? ""));
  expect(attempts).toMatchObject([{ number: 1, outcome: "DELIVERED", statusCode: 200, remoteAddress: "127.0.1.1" }]);
});

test("after a rotation two signatures are sent, by the new and the previous secret", async () => {
  const rotated = await webhooks.rotateWebhookSecret({}, testCall(tenant));
  const { id, payload } = await addDelivery(database, tenant, { status: "FAILED", createdAt: clock.now() });
  await deliveries.resendDelivery({ id }, testCall(tenant));
  await ended(id, DeliveryStatus.DELIVERED);
  const [request] = received(id);
  const at = new Date(Number(request?.headers["webhook-timestamp"]) * 1000);
  const signatures = [rotated.data?.webhookSecret ?? "", oldSecret].map((key) =>
    new Webhook(key).sign(id, at, payload),
  );
  expect(String(request?.headers["webhook-signature"]).split(" ")).toEqual(signatures);
  // Waits until the rotation's own event is delivered, before a later test makes the receiver fail.
  await vi.waitFor(async () => {
    const filter = { type: ["webhook.updated"], status: [DeliveryStatus.DELIVERED] };
    const { pagination } = await deliveries.listDeliveries(filter, testCall(tenant));
    expect(pagination?.total).toBe(2n);
  }, soon);
});

test("a failed test states the reason, and failed deliveries are recovered once the receiver works", async () => {
  receiver.behave({ kind: "answer", status: 500 });
  expect(await webhooks.testWebhook({}, testCall(tenant))).toMatchObject({
    success: false,
    statusCode: 500,
    error: "The receiver answered 500",
  });
  const failed = await addDelivery(database, tenant, { status: "FAILED", createdAt: clock.now() });
  receiver.behave({ kind: "answer", status: 204 });
  const since = set.data?.createdAt;
  expect((await deliveries.recoverDeliveries({ ...(since && { since }) }, testCall(tenant))).count).toBe(1n);
  await ended(failed.id, DeliveryStatus.DELIVERED);
  expect(received(failed.id)).toHaveLength(1);
});

test("URL and headers are those at the time of the attempt, and nothing is sent to a deleted webhook", async () => {
  const other = await end.receiver("others.example.com");
  await webhooks.setWebhook({ url: other.origin, headers: {} }, testCall(tenant));
  const { id } = await addDelivery(database, tenant, { createdAt: clock.now() });
  await deliveries.resendDelivery({ id }, testCall(tenant));
  await ended(id, DeliveryStatus.DELIVERED);
  const [request] = other.requests.filter((received) => received.id === id);
  expect(request?.path).toBe("/");
  expect(request?.headers.authorization).toBeUndefined();

  await webhooks.deleteWebhook({}, testCall(tenant));
  const left = await addDelivery(database, tenant, { status: "PENDING", createdAt: clock.now() });
  await ended(left.id, DeliveryStatus.CANCELLED);
  expect(other.requests.map((received) => received.id)).not.toContain(left.id);
});
