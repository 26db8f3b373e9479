// Prompts end to end: from the event to the application's webhook, and from there their outcomes to experiments.

import { type DescMessage, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import {
  type RecordPromptOutcomeRequest,
  RecordPromptOutcomeRequestSchema,
} from "@ems/proto/experiments/v1/execution_service";
import { DeliveryKind, DeliveryService, DeliveryStatus } from "@ems/proto/notifications/v1/delivery_service";
import { EventLogService } from "@ems/proto/notifications/v1/event_log_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { testCall, testEvent, testTenant } from "@ems/test-support";
import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import type { Behaviour } from "@ems/test-support/webhook-receiver";
import { afterAll, describe, expect, test, vi } from "vitest";
import { notificationsHarness } from "../../test/harness.ts";

const network = await startWebhookNetwork();
afterAll(() => network.close());
const bus = inProcessBus();
const outcomes: RecordPromptOutcomeRequest[] = [];
let isExperimentsUp = true;
const onOutcome = (request: RecordPromptOutcomeRequest) => {
  if (!isExperimentsUp) throw new Error("experiments is down");
  outcomes.push(request);
};
const env = { ...network.env, PROMPT_ATTEMPT_TIMEOUT_MS: "3000", PROMPT_LEASE_MS: "6000" };
const { client, clock, database } = await notificationsHarness(env, { bus, onOutcome });
const [webhooks, deliveries] = [client(WebhookService), client(DeliveryService)];
const soon = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 90_000 });

let named = 0;
/** Creates an application with a receiver of its own. */
async function application() {
  const tenant = testTenant();
  const receiver = await network.receiver(`app-${++named}.example.com`);
  await webhooks.setWebhook({ url: `${receiver.origin}/prompts` }, testCall(tenant));
  const answerPrompts = (behaviour: Behaviour) =>
    receiver.behave(({ headers }) =>
      headers["ems-delivery"] === "prompt" ? behaviour : { kind: "answer", status: 200 },
    );
  return { tenant, receiver, answerPrompts };
}

/** Requests the delivery of a prompt; returns the ID of its test. */
async function requestPrompt({ applicationId, orgId }: Tenant, data: object = { prompt: "When is a card blocked?" }) {
  const testId = newId();
  await bus.publish(testEvent({ applicationId, orgId, type: "prompt.requested", data: { testId, ...data } }));
  return testId;
}
const findOutcomes = (testId: string) => outcomes.filter((outcome) => outcome.testId === testId);
const waitForOutcome = (testId: string) =>
  vi.waitFor(() => {
    const [outcome] = findOutcomes(testId);
    if (outcome === undefined) throw new Error("no outcome yet");
    return toJson(RecordPromptOutcomeRequestSchema as DescMessage, outcome) as { accepted?: object; failed?: object };
  }, soon);
const promptsAt = ({ requests }: { requests: readonly { headers: object; id: string; body: string }[] }) =>
  requests.filter(({ headers }) => "ems-delivery" in headers && headers["ems-delivery"] === "prompt");
const rows = (table: string, { applicationId }: Tenant) =>
  database.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM notifications.${table} WHERE application_id = $1`,
    [applicationId],
  );
const delivery = async (tenant: Tenant, id: string) => deliveries.getDelivery({ id }, testCall(tenant));

test("a prompt is sent unchanged, its answer reaches experiments, and nothing of it is kept", async () => {
  const { tenant, receiver, answerPrompts } = await application();
  answerPrompts({ kind: "answer", status: 200, body: '{"output": "At once \\u0000", "usage": {}}' });
  const prompt = { text: "Blocked?", parts: [1, 2.5, null] };
  const experiment = { experimentId: newId(), experimentVariantId: newId(), overrides: { step: { model: "m" } } };
  const metadata = { level: "hard" };
  const testId = await requestPrompt(tenant, { prompt, metadata, experiment });
  expect(await waitForOutcome(testId)).toMatchObject({
    testId,
    accepted: { answer: '{"output": "At once \\u0000", "usage": {}}', acceptedAt: expect.any(String) },
  });
  expect(findOutcomes(testId)).toHaveLength(1);
  const [request] = promptsAt(receiver);
  expect(JSON.parse(request?.body ?? "")).toEqual({
    prompt,
    testId,
    metadata,
    experiment,
    applicationId: tenant.applicationId,
  });
  expect(request).toMatchObject({ id: testId });
  await vi.waitFor(async () => expect(await rows("prompt_outcome", tenant)).toEqual([{ count: 0 }]), soon);
});

test("a prompt is listed with its kind and test, is not in the event log, and cannot be resent", async () => {
  const { tenant, receiver } = await application();
  const testId = await requestPrompt(tenant);
  await waitForOutcome(testId);
  const { data } = await deliveries.listDeliveries({ kind: [DeliveryKind.PROMPT] }, testCall(tenant));
  expect(data).toMatchObject([
    { id: testId, testId, kind: DeliveryKind.PROMPT, type: "prompt", status: DeliveryStatus.DELIVERED },
  ]);
  const listForTests = async (testId: string[], of: Tenant = tenant) =>
    (await deliveries.listDeliveries({ testId }, testCall(of))).data.map(({ id }) => id);
  const [event] = (await deliveries.listDeliveries({ kind: [DeliveryKind.EVENT] }, testCall(tenant))).data;
  expect(event).toBeDefined();
  expect(await listForTests([testId.toUpperCase(), testId, newId(), event?.id ?? ""])).toEqual([testId]);
  expect(await listForTests([newId()])).toEqual([]);
  expect(await listForTests([testId], testTenant())).toEqual([]);
  const events = await deliveries.listDeliveries({ kind: [DeliveryKind.EVENT] }, testCall(tenant));
  for (const delivery of events.data) expect(delivery).toMatchObject({ kind: DeliveryKind.EVENT });
  expect((await delivery(tenant, testId)).event).toMatchObject({ testId, applicationId: tenant.applicationId });
  const [log] = [await client(EventLogService).readEvents({ after: 0n, limit: 100, bytes: 1e6 }, testCall(tenant))];
  expect(log?.events.map(({ message }) => Buffer.from(message).includes(testId))).not.toContain(true);
  await expect(deliveries.resendDelivery({ id: testId }, testCall(tenant))).rejects.toThrow(/trigger the task again/);
  await expect(delivery(testTenant(), testId)).rejects.toThrow(/not found/);
  const since = fromDate(new Date(clock.now().getTime() - 1000));
  await deliveries.recoverDeliveries({ since }, testCall(tenant));
  expect(promptsAt(receiver)).toHaveLength(1);
});

const fromDate = (date: Date) => ({ seconds: BigInt(Math.floor(date.getTime() / 1000)), nanos: 0 });

test("validate-webhook recognizes a prompt by its testId, even if its JSON is reformatted", async () => {
  const { tenant, receiver } = await application();
  const testId = await requestPrompt(tenant, { prompt: { b: 1, a: "ü" }, metadata: { z: 1, y: [true] } });
  await waitForOutcome(testId);
  const [request] = promptsAt(receiver);
  const headers = request?.headers as Record<string, string>;
  const body = JSON.parse(request?.body ?? "");
  const reordered = Object.fromEntries(Object.entries(body).reverse()) as JsonValue;
  const signature = headers["webhook-signature"] ?? "";
  const seconds = Number(headers["webhook-timestamp"]);
  const isValid = async (value: JsonValue, timestamp?: JsonValue, of: Tenant = tenant) => {
    const time = timestamp === undefined ? {} : { timestamp: fromJson(ValueSchema, timestamp) };
    const request = { signature, body: fromJson(ValueSchema, value), ...time };
    return (await webhooks.validateWebhook(request, testCall(of))).valid;
  };
  const times = [undefined, null, seconds, String(seconds), seconds * 1000, new Date(seconds * 1000).toISOString()];
  for (const time of times) expect([time, await isValid(reordered, time)]).toEqual([time, true]);
  expect(await isValid(JSON.stringify(reordered, null, 3))).toBe(true);
  expect(await isValid({ ...body, prompt: { b: 1, a: "u" } })).toBe(false);
  expect(await isValid({ ...body, testId: newId() })).toBe(false);
  expect(await isValid({ ...body, id: testId })).toBe(false);
  expect(await isValid(body, seconds, testTenant())).toBe(false);
  expect(await isValid(body, seconds - 301)).toBe(false);
});

describe("an acceptance without an answer", () => {
  test.each([
    ["no body", { kind: "answer", status: 204 }],
    ["text", { kind: "answer", status: 200, body: "ok" }],
    ["a list", { kind: "answer", status: 202, body: '[{"output": 1}]' }],
    ["no output", { kind: "answer", status: 200, body: '{"result": "x"}' }],
    ["truncated JSON", { kind: "answer", status: 200, body: '{"output": "x' }],
    ["invalid UTF-8", { kind: "answer", status: 200, body: Buffer.from('{"output": "\xff"}', "latin1") }],
    ["more than 1 MiB", { kind: "answer", status: 200, body: JSON.stringify({ output: "x".repeat(1024 * 1024) }) }],
    ["an endless body", { kind: "hang-after-headers" }],
  ] as const)("is a 2xx with %s", async (_, behaviour) => {
    const { tenant, receiver, answerPrompts } = await application();
    answerPrompts(behaviour);
    const testId = await requestPrompt(tenant);
    const outcome = await waitForOutcome(testId);
    expect(outcome).toMatchObject({ accepted: {} });
    expect(outcome).not.toHaveProperty("accepted.answer");
    expect(promptsAt(receiver)).toHaveLength(1);
  });

  test("an answer of 1 MiB is accepted", async () => {
    const { tenant, answerPrompts } = await application();
    const body = JSON.stringify({ output: "x".repeat(1024 * 1024 - 13) });
    expect(body).toHaveLength(1024 * 1024);
    answerPrompts({ kind: "answer", status: 200, body });
    expect(await waitForOutcome(await requestPrompt(tenant))).toMatchObject({ accepted: { answer: body } });
  });
});

describe("permanent failures are reported with their reason", () => {
  test.each([
    ["The webhook answered 500", { kind: "answer", status: 500 }],
    ["The webhook answered 400", { kind: "answer", status: 400 }],
    ["The webhook answered 410 Gone", { kind: "answer", status: 410 }],
    ["The webhook answered with a redirect; redirects are not followed", { kind: "answer", status: 302 }],
    ["The webhook closed the connection before it had answered", { kind: "reset" }],
    ["The webhook's answer is not HTTP", { kind: "garbage" }],
    ["The webhook did not answer in time", { kind: "hang" }],
  ] as const)("%s", async (reason, behaviour) => {
    const { tenant, receiver, answerPrompts } = await application();
    answerPrompts(behaviour);
    const testId = await requestPrompt(tenant);
    expect(await waitForOutcome(testId)).toMatchObject({ failed: { reason } });
    expect(promptsAt(receiver)).toHaveLength(1);
    expect((await delivery(tenant, testId)).data).toMatchObject({ status: DeliveryStatus.FAILED, attemptCount: 1 });
    // The failure does not count towards disabling the webhook.
    const { data } = await webhooks.getWebhook({}, testCall(tenant));
    expect(data?.disabledAt).toBeUndefined();
  });

  test("a missing, disabled or meanwhile deleted webhook ends the prompt with a reason", async () => {
    const unknownTenant = testTenant();
    expect(await waitForOutcome(await requestPrompt(unknownTenant))).toMatchObject({
      failed: { reason: "The application has no webhook" },
    });
    const { tenant, receiver, answerPrompts } = await application();
    answerPrompts({ kind: "answer", status: 503 });
    const waiting = await requestPrompt(tenant);
    await vi.waitFor(() => expect(promptsAt(receiver)).toHaveLength(1), soon);
    await database.sql(
      "UPDATE notifications.webhook SET disabled_at = now(), disabled_reason = 'GONE' WHERE application_id = $1",
      [tenant.applicationId],
    );
    const disabled = await requestPrompt(tenant);
    expect(await waitForOutcome(disabled)).toMatchObject({ failed: { reason: "The webhook is disabled" } });
    await webhooks.deleteWebhook({}, testCall(tenant));
    clock.advance(5_000);
    expect(await waitForOutcome(waiting)).toMatchObject({
      failed: { reason: "The webhook was deleted before the prompt was delivered" },
    });
  });
});

test.each([429, 503])(
  "a receiver that responds with %d is retried after 5, 30 and 120 seconds, then the prompt fails",
  async (status) => {
    const { tenant, receiver, answerPrompts } = await application();
    answerPrompts({ kind: "answer", status });
    const testId = await requestPrompt(tenant);
    for (const [at, seconds] of [5, 30, 120].entries()) {
      await vi.waitFor(async () => {
        expect(promptsAt(receiver)).toHaveLength(at + 1);
        expect((await delivery(tenant, testId)).data).toMatchObject({
          attemptCount: at + 1,
          status: DeliveryStatus.PENDING,
        });
      }, soon);
      clock.advance(seconds * 1000);
    }
    expect(await waitForOutcome(testId)).toMatchObject({ failed: { reason: `The webhook answered ${status}` } });
    expect(promptsAt(receiver)).toHaveLength(4);
  },
);

test("an outcome waits while experiments is down, and is reported once it is up", async () => {
  const { tenant } = await application();
  isExperimentsUp = false;
  const testId = await requestPrompt(tenant);
  await vi.waitFor(async () => {
    const [row] = await database.sql<{ attempts: number }>(
      "SELECT attempts FROM notifications.prompt_outcome WHERE test_id = $1",
      [testId],
    );
    expect(row?.attempts).toBeGreaterThan(0);
  }, soon);
  isExperimentsUp = true;
  clock.advance(60_000);
  expect(await waitForOutcome(testId)).toMatchObject({ accepted: {} });
  await vi.waitFor(async () => expect(await rows("prompt_outcome", tenant)).toEqual([{ count: 0 }]), soon);
});

test("a prompt that is requested twice is delivered once", async () => {
  const { tenant, receiver } = await application();
  const testId = newId();
  const event = testEvent({ ...tenant, type: "prompt.requested", data: { testId, prompt: "?" } });
  await bus.publish(event);
  await bus.publish(event);
  await waitForOutcome(testId);
  expect(promptsAt(receiver)).toHaveLength(1);
});

test("500 prompts at a slow receiver delay neither its events nor another application's prompts", async () => {
  const [slow, other] = [await application(), await application()];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  slow.receiver.behave(({ headers }) =>
    headers["ems-delivery"] === "prompt"
      ? { kind: "held", status: 200, when: released }
      : { kind: "answer", status: 200 },
  );
  const held = await Promise.all(Array.from({ length: 500 }, () => requestPrompt(slow.tenant)));
  await vi.waitFor(() => expect(slow.receiver.inHand.size).toBe(8), soon);
  // Both the test and the prompt are sent while the slow receiver has no free place.
  const { success } = await webhooks.testWebhook({}, testCall(slow.tenant));
  expect(success).toBe(true);
  expect(await waitForOutcome(await requestPrompt(other.tenant))).toMatchObject({ accepted: {} });
  expect(held.flatMap(findOutcomes)).toEqual([]);
  expect(slow.receiver.inHandMax).toBeLessThanOrEqual(8 + 4);
  slow.receiver.behave({ kind: "answer", status: 200 });
  release();
  // Attempts that were held longer than their timeout failed, and each prompt has exactly one outcome.
  await vi.waitFor(() => expect(held.filter((id) => findOutcomes(id).length === 0)).toEqual([]), soon);
  for (const testId of held) expect(findOutcomes(testId)).toHaveLength(1);
});
