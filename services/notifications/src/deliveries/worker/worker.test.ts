import { secureRandom } from "@ems/kit/id";
import { outboxEvents } from "@ems/test-support";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { workerHarness } from "../../../test/worker-harness.ts";
import { resendColumns } from "../queries.ts";
import { newWebhookSecret } from "./signed-request.ts";

const harness = await workerHarness();
const { clock, sql, delivery, attempts, deliveries, webhook } = harness;
const receiver = await harness.startReceiver("hooks.example.com");
const url = `${receiver.origin}/hook`;
const worker = harness.startWorker();
const expectDelivery = (id: string, facts: object) => expect.poll(() => delivery(id)).toMatchObject(facts);
const id = async (webhook: Parameters<typeof deliveries>[0], type = "topic.created") => {
  const [only = ""] = await deliveries(webhook, 1, { type });
  worker.wake();
  return only;
};

afterEach(() => receiver.behave({ kind: "answer", status: 200 }));

/** Starts a delivery whose attempt is in progress; `answer` ends the attempt with `status`. */
async function startAttempt(status: number) {
  const hook = await webhook(url);
  const { promise: when, resolve: answer } = Promise.withResolvers<void>();
  receiver.behave({ kind: "held", status, when });
  const sent = await id(hook);
  await expect.poll(() => receiver.received.get(sent)).toBe(1);
  return { hook, sent, answer };
}

const second = 1_000;
const hour = 3_600 * second;

test("a delivery that is due is sent, signed and logged", async () => {
  const hook = await webhook(url, { authorization: "Bearer token" });
  receiver.behave({ kind: "answer", status: 202, body: "thanks for Bearer token" });
  const sent = await id(hook);
  await expectDelivery(sent, {
    status: "DELIVERED",
    attemptCount: 1,
    nextAttemptAt: null,
    leasedUntil: null,
    lastOutcome: "DELIVERED",
    lastStatusCode: 202,
  });
  expect(await attempts(sent)).toEqual([
    {
      number: 1,
      startedAt: clock.now(),
      durationMs: expect.any(Number),
      outcome: "DELIVERED",
      statusCode: 202,
      responseBody: "thanks for [redacted]",
      remoteAddress: "127.0.1.1",
    },
  ]);
  const request = receiver.requests.find((each) => each.id === sent);
  expect(request?.headers).toMatchObject({ authorization: "Bearer token" });
  const timestamp = new Date(Number(request?.headers["webhook-timestamp"]) * 1000);
  expect(timestamp).toEqual(clock.now());
});

test("a delivery has failed after ten attempts along the schedule", async () => {
  receiver.behave(({ path }) => ({ kind: "answer", status: path === "/well" ? 200 : 500 }));
  const well = await webhook(`${receiver.origin}/well`);
  const sent = await id(await webhook(url));
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * second);
  for (const [at, wait] of waits.entries()) {
    const nextAttemptAt = new Date(clock.now().getTime() + wait);
    await expectDelivery(sent, { status: "PENDING", attemptCount: at + 1, scheduleStep: at + 1, nextAttemptAt });
    clock.advance(wait - 1);
    // By now the worker has considered all due deliveries, and has not claimed this one.
    await expectDelivery(await id(well), { status: "DELIVERED" });
    expect(await delivery(sent)).toMatchObject({ attemptCount: at + 1, leasedUntil: null });
    clock.advance(1);
  }
  await expectDelivery(sent, { status: "FAILED", attemptCount: 10, nextAttemptAt: null, lastStatusCode: 500 });
  expect((await attempts(sent)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test.each([
  ["7", 7],
  ["600", 10],
  ["1", 5],
])("after Retry-After: %s the next attempt is due in %i s", async (header, seconds) => {
  receiver.behave({ kind: "answer", status: 503, headers: { "retry-after": header } });
  const sent = await id(await webhook(url));
  await expectDelivery(sent, { attemptCount: 1, nextAttemptAt: new Date(clock.now().getTime() + seconds * second) });
});

test("a test has one attempt, even if the webhook is disabled", async () => {
  receiver.behave({ kind: "answer", status: 500 });
  const hook = await webhook(url);
  await expectDelivery(await id(hook, "webhook.test"), {
    status: "FAILED",
    attemptCount: 1,
    lastOutcome: "HTTP_STATUS",
  });
  await sql("UPDATE notifications.webhook SET disabled_at = now(), disabled_reason = 'GONE' WHERE id = $1", [hook.id]);
  receiver.behave({ kind: "answer", status: 200 });
  await expectDelivery(await id(hook, "webhook.test"), { status: "DELIVERED", attemptCount: 1 });
});

describe("disabling", () => {
  const webhookRow = async ({ id }: { id: string }) => {
    const [row] = await sql<{
      disabled_reason: string | null;
      disabled_at: Date;
      failing_since: Date;
      failure_streak: number;
    }>("SELECT disabled_reason, disabled_at, failing_since, failure_streak FROM notifications.webhook WHERE id = $1", [
      id,
    ]);
    return row;
  };
  const event = async ({ applicationId }: { applicationId: string }) => {
    const events = await outboxEvents({ sql }, "notifications", { text: applicationId });
    return events.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
  };

  test("410 disables at once, fails pending deliveries and publishes the webhook", async () => {
    receiver.behave({ kind: "answer", status: 410 });
    const hook = await webhook(url, { "x-secret": "value" });
    const [later = ""] = await deliveries(hook, 1, { dueInMs: hour });
    const sent = await id(hook);
    await expect.poll(() => webhookRow(hook)).toMatchObject({ disabled_reason: "GONE", disabled_at: clock.now() });
    expect(await delivery(sent)).toMatchObject({ status: "FAILED", attemptCount: 1, lastOutcome: "DISABLED" });
    expect(await delivery(later)).toMatchObject({ status: "FAILED", attemptCount: 0, lastOutcome: "DISABLED" });
    expect(await event(hook)).toEqual([
      {
        type: "webhook.updated",
        data: expect.objectContaining({
          id: hook.id,
          url,
          headerNames: ["x-secret"],
          disabledAt: clock.now().toISOString(),
        }),
      },
    ]);
    expect(harness.disabledWebhooks.find(({ webhookId }) => webhookId === hook.id)).toMatchObject({ reason: "GONE" });
  });

  test("120 hours of uninterrupted failures disable the webhook", async () => {
    receiver.behave({ kind: "answer", status: 500 });
    const hook = await webhook(url);
    await expectDelivery(await id(hook, "webhook.test"), { attemptCount: 1 });
    const since = clock.now();
    await expect.poll(() => webhookRow(hook)).toMatchObject({ failure_streak: 1, failing_since: since });
    clock.advance(120 * hour - 1);
    const soon = await id(hook, "webhook.test");
    await expectDelivery(soon, { attemptCount: 1 });
    const failedTwice = { failure_streak: 2, disabled_reason: null, failing_since: since };
    await expect.poll(() => webhookRow(hook)).toMatchObject(failedTwice);
    clock.advance(1);
    await expectDelivery(await id(hook), { status: "FAILED", lastOutcome: "DISABLED" });
    expect(await webhookRow(hook)).toMatchObject({ disabled_reason: "FAILING" });
  });

  test("a success in between restarts the 120 hours", async () => {
    const hook = await webhook(url);
    receiver.behave({ kind: "answer", status: 500 });
    await expectDelivery(await id(hook, "webhook.test"), { attemptCount: 1 });
    clock.advance(119 * hour);
    receiver.behave({ kind: "answer", status: 200 });
    await expectDelivery(await id(hook), { status: "DELIVERED" });
    await expect.poll(() => webhookRow(hook)).toMatchObject({ failure_streak: 0, failing_since: null });
    clock.advance(2 * hour);
    receiver.behave({ kind: "answer", status: 500 });
    await expectDelivery(await id(hook, "webhook.test"), { attemptCount: 1 });
    await expect.poll(() => webhookRow(hook)).toMatchObject({ disabled_reason: null, failing_since: clock.now() });
  });

  test.each(["url || '?new'", "url"])(
    "a response to an earlier version does not disable a changed webhook: %s",
    async (to) => {
      const { hook, sent, answer } = await startAttempt(410);
      clock.advance(1);
      await sql(`UPDATE notifications.webhook SET url = ${to}, modified_at = $1 WHERE id = $2`, [clock.now(), hook.id]);
      answer();
      await expectDelivery(sent, { attemptCount: 1, lastOutcome: "GONE" });
      expect(await webhookRow(hook)).toMatchObject({ disabled_reason: null, failure_streak: 0 });
    },
  );

  test("a delivery of a disabled webhook is not attempted", async () => {
    const hook = await webhook(url);
    await sql("UPDATE notifications.webhook SET disabled_at = now(), disabled_reason = 'GONE' WHERE id = $1", [
      hook.id,
    ]);
    const sent = await id(hook);
    await expectDelivery(sent, { status: "FAILED", attemptCount: 0, lastOutcome: "DISABLED" });
    expect(receiver.received.has(sent)).toBe(false);
  });
});

describe("a concurrent change wins", () => {
  const resend = ({ applicationId, id }: { applicationId: string; id: string }, sent: string) =>
    sql(`UPDATE notifications.delivery SET ${resendColumns} WHERE application_id = $1 AND id = $4`, [
      applicationId,
      clock.now(),
      id,
      sent,
    ]);

  test.each([200, 500])(
    "a deleted webhook's delivery stays canceled when the receiver responds with %i",
    async (status) => {
      const { hook, sent, answer } = await startAttempt(status);
      await sql(
        `WITH gone AS (DELETE FROM notifications.webhook WHERE id = $1)
       UPDATE notifications.delivery SET status = 'CANCELLED', next_attempt_at = NULL, leased_until = NULL WHERE id = $2`,
        [hook.id, sent],
      );
      answer();
      await expectDelivery(sent, { status: "CANCELLED", attemptCount: 1, lastStatusCode: status });
      expect(await attempts(sent)).toHaveLength(1);
    },
  );

  test.each([200, 500])("another attempt follows a resend, even if the receiver responds with %i", async (status) => {
    const { sent, hook, answer } = await startAttempt(status);
    await sql("UPDATE notifications.delivery SET schedule_step = 9 WHERE id = $1", [sent]);
    receiver.behave({ kind: "answer", status: 501 });
    await resend(hook, sent);
    answer();
    await expectDelivery(sent, { status: "PENDING", attemptCount: 2, scheduleStep: 1, leasedUntil: null });
    const codes = (await attempts(sent)).map(({ statusCode }) => statusCode);
    expect(codes.sort()).toEqual([status, 501]);
  });

  test("a delivery without a webhook, or for a previous one, is canceled", async () => {
    const hook = await webhook(url);
    await sql("DELETE FROM notifications.webhook WHERE id = $1", [hook.id]);
    await expectDelivery(await id(hook), { status: "CANCELLED", attemptCount: 0 });
    const other = await webhook(url);
    await expectDelivery(await id({ ...other, id: hook.id }), { status: "CANCELLED", attemptCount: 0 });
  });

  test("a claimed delivery that was invalidated is sent with the changed webhook", async () => {
    const hook = await webhook(`${receiver.origin}/many`);
    const { promise: when, resolve: answer } = Promise.withResolvers<void>();
    // The receiver is fast at first, so that more is prefetched than it can send later.
    let requests = 0;
    const isHeld = ({ path }: { path: string }) => path === "/many" && ++requests > 20;
    receiver.behave((each) => (isHeld(each) ? { kind: "held", status: 200, when } : { kind: "answer", status: 200 }));
    const ids = await deliveries(hook, 40);
    const countReceived = () => ids.filter((each) => receiver.received.has(each)).length;
    worker.wake();
    await expect.poll(countReceived).toBe(20 + 4);
    await sql("UPDATE notifications.webhook SET url = url || '?second' WHERE id = $1", [hook.id]);
    worker.invalidate(hook.applicationId);
    answer();
    await expect.poll(countReceived).toBe(40);
    const paths = receiver.requests.filter((each) => ids.includes(each.id)).map(({ path }) => path);
    expect(paths).toEqual([...Array(24).fill("/many"), ...Array(16).fill("/many?second")]);
  });
});

test("for a limited time after a change of secrets both sign", async () => {
  const hook = await webhook(url);
  const before = newWebhookSecret(secureRandom);
  await sql("UPDATE notifications.webhook SET previous_secret = $1, previous_secret_until = $2 WHERE id = $3", [
    harness.secrets.seal(before, `${hook.applicationId}/secret`),
    new Date(clock.now().getTime() + 24 * hour),
    hook.id,
  ]);
  const verified = async () => {
    const sent = await id(hook);
    await expectDelivery(sent, { status: "DELIVERED" });
    const request = receiver.requests.find((each) => each.id === sent);
    const headers = request?.headers as Record<string, string>;
    // The library compares with the machine's time, so that must match the test's clock.
    vi.setSystemTime(clock.now());
    const results = [hook.secret, before].map((secret) => {
      try {
        new Webhook(secret).verify(request?.body ?? "", headers);
        return true;
      } catch {
        return false;
      }
    });
    vi.useRealTimers();
    return results;
  };
  expect(await verified()).toEqual([true, true]);
  clock.advance(24 * hour);
  expect(await verified()).toEqual([true, false]);
});
