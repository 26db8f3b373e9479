import { Code, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { idempotencyKeyHeader, replayedHeader } from "@ems/kit/rpc/idempotency-key";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import { capturedLog, outboxEvents, testCall, testTenant } from "@ems/test-support";
import { startSmtpServer } from "@ems/test-support/smtp-server";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { knownUser, notificationsHarness } from "../../test/harness.ts";

const relay = await startSmtpServer();
afterAll(() => relay.close());
const { log, text: logged } = capturedLog();
const identity = { isDown: false };
const harness = await notificationsHarness(
  {
    SMTP_URL: relay.url,
    SMTP_CA_FILE: relay.caFile,
    MAIL_FROM: "Evaluations <ems@example.com>",
    FEEDBACK_TO: "team@example.com",
  },
  {
    log,
    onUsersAsked: () => {
      if (identity.isDown) throw unavailable();
    },
  },
);
const { database, clock } = harness;
const client = harness.client(FeedbackService);
const words = `${newId()} could be better: "<b>&\r\nBcc: eve@evil.example`;

beforeEach(() => {
  identity.isDown = false;
  relay.misbehave(undefined);
});
afterEach(() => {
  for (const secret of [words.slice(0, 36), "ada@example.com", "team@example.com", "evil.example"]) {
    expect(logged()).not.toContain(secret);
  }
});

async function person(userId = knownUser.id) {
  const tenant = { ...testTenant(), userId };
  const send = async (key?: string, feedback = words) => {
    let isReplayed = false;
    const call = testCall(tenant);
    const { success } = await client.sendFeedback(
      { feedback },
      {
        ...call,
        headers: { ...call.headers, ...(key !== undefined && { [idempotencyKeyHeader]: key }) },
        onHeader: (header) => {
          isReplayed = header.has(replayedHeader);
        },
      },
    );
    return { success, isReplayed };
  };
  const rows = () =>
    database.sql("SELECT * FROM notifications.feedback WHERE application_id = $1 ORDER BY id", [tenant.applicationId]);
  const published = () => outboxEvents(database, "notifications", { text: tenant.applicationId });
  return { tenant, send, rows, published, sentBefore: relay.transmitted.length };
}

test("feedback is mailed with the key owner's reply address, stored sealed, and published without its text", async () => {
  const { tenant, send, rows, published } = await person();
  expect(await send()).toEqual({ success: true, isReplayed: false });
  const mail = relay.mails.at(-1);
  expect(mail).toMatchObject({ from: "ems@example.com", to: ["team@example.com"] });
  expect(mail?.mail.replyTo).toEqual([{ name: "", address: knownUser.email }]);
  expect(mail?.mail.text?.replaceAll("\r", "")).toContain(words.replaceAll("\r", ""));
  expect(mail?.mail.bcc).toBeUndefined();
  const [row, ...more] = await rows();
  expect(more).toEqual([]);
  expect(row).toMatchObject({ status: "SENT", error: null, user_id: knownUser.id, org_id: tenant.orgId });
  expect(row?.sent_at).toEqual(clock.now());
  expect(row?.text).not.toContain(words.slice(0, 36));
  const [event] = await published();
  expect(JSON.parse(event?.payload ?? "")).toMatchObject({
    type: "feedback.sent",
    data: { id: row?.id, userId: knownUser.id },
  });
  expect(event?.payload).not.toContain(words.slice(0, 36));
});

test.each([
  ["a person without an address", "ben"],
  ["a person unknown to identity", "nobody"],
  ["a key without an owner", ""],
  ["a person whose address contains a header injection", "mallory"],
])("%s: sent, without an address to reply to", async (_, userId) => {
  const { send, rows } = await person(userId);
  expect((await send()).success).toBe(true);
  expect(relay.mails.at(-1)?.mail.replyTo).toBeUndefined();
  expect(relay.mails.at(-1)?.mail.bcc).toBeUndefined();
  expect(await rows()).toMatchObject([{ user_id: userId === "" ? null : userId }]);
});

test("identity down: sent, without an address to reply to", async () => {
  identity.isDown = true;
  const { send } = await person();
  expect((await send()).success).toBe(true);
  expect(relay.mails.at(-1)?.mail.replyTo).toBeUndefined();
});

test.each([
  ["rejects temporarily", { at: "data", code: 451 }, "REFUSED_FOR_NOW"],
  ["rejects", { at: "recipient", code: 550 }, "REFUSED"],
  ["disconnects after receiving the mail", { at: "data", drop: true }, "CONNECTION"],
] as const)(
  "a relay that %s: feedback is not sent but stored, logged for the operator, and never retried automatically",
  async (_, how, error) => {
    relay.misbehave(how);
    const { send, rows, published, sentBefore } = await person();
    expect((await send()).success).toBe(false);
    relay.misbehave(undefined);
    const [row] = await rows();
    expect(row).toMatchObject({ status: "FAILED", error, sent_at: null });
    expect(await published()).toEqual([]);
    expect(logged()).toContain(`"level":50`);
    expect(logged()).toContain(`"feedbackId":"${row?.id}","fault":"${error}"`);
    expect(relay.transmitted.length - sentBefore).toBeLessThanOrEqual(1);
  },
);

test("a repeated request returns the first outcome and sends nothing", async () => {
  const key = newId();
  const { send, rows, published, sentBefore } = await person();
  expect(await send(key)).toEqual({ success: true, isReplayed: false });
  expect(await send(key)).toEqual({ success: true, isReplayed: true });
  expect(relay.transmitted.length - sentBefore).toBe(1);
  expect([(await rows()).length, (await published()).length]).toEqual([1, 1]);
  await expect(send(key, "other words")).rejects.toMatchObject({ code: Code.FailedPrecondition });
});

test("a repeated request with unsent feedback does not send it either", async () => {
  const key = newId();
  relay.misbehave({ at: "data", code: 554 });
  const { send, sentBefore } = await person();
  expect(await send(key)).toEqual({ success: false, isReplayed: false });
  relay.misbehave(undefined);
  expect(await send(key)).toEqual({ success: false, isReplayed: true });
  expect(relay.transmitted.length - sentBefore).toBe(1);
  expect((await send(newId())).success).toBe(true);
});

test("a repeated request is busy during the first; after a crash it reports no success", async () => {
  const key = newId();
  relay.misbehave({ at: "data", silent: true });
  const { tenant, send, sentBefore } = await person();
  const first = send(key);
  await expect.poll(() => relay.transmitted.length).toBeGreaterThan(sentBefore);
  await expect(send(key)).rejects.toMatchObject({ code: Code.Aborted });
  // The state after a crash: the process that would have stored the outcome died.
  clock.advance(15_000);
  expect(await send(key)).toEqual({ success: false, isReplayed: true });
  relay.hangUp();
  expect((await first).success).toBe(false);
  expect(await send(key)).toEqual({ success: false, isReplayed: true });
  expect(relay.transmitted.length - sentBefore).toBe(1);
  const other = { ...testTenant(), userId: tenant.userId };
  relay.misbehave(undefined);
  const call = testCall(other);
  const theirs = { ...call, headers: { ...call.headers, [idempotencyKeyHeader]: key } };
  expect((await client.sendFeedback({ feedback: words }, theirs)).success).toBe(true);
});

test("the text has 1 to 5000 characters", async () => {
  const { send } = await person();
  expect((await send(undefined, "💛".repeat(5000))).success).toBe(true);
  for (const text of ["", "x".repeat(5001)]) {
    await expect(send(undefined, text)).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("without a relay feedback is stored and not sent; this is logged once, at the start", async () => {
  const { log: quiet, text } = capturedLog();
  const other = await notificationsHarness({}, { log: quiet });
  expect(text()).toContain("no mail relay (SMTP_URL)");
  const { success } = await other.client(FeedbackService).sendFeedback({ feedback: words }, testCall(other.tenant));
  expect(success).toBe(false);
  const rows = await other.database.sql("SELECT status, error FROM notifications.feedback");
  expect(rows).toEqual([{ status: "FAILED", error: "NO_RELAY" }]);
  expect(text()).not.toContain("feedback was not sent");
});

test("an hourly limit applies per application, and excludes repeated requests", async () => {
  const few = await notificationsHarness({ FEEDBACK_PER_HOUR_MAX: "2" }, { log });
  const feedback = few.client(FeedbackService);
  const send = (tenant = few.tenant, key?: string) => {
    const call = testCall(tenant);
    const named = key === undefined ? call.headers : { ...call.headers, [idempotencyKeyHeader]: key };
    return feedback.sendFeedback({ feedback: words }, { ...call, headers: named });
  };
  await send(few.tenant, "first");
  few.clock.advance(60_000);
  await send();
  await send(few.tenant, "first");
  const refused = await send().catch((error) => error);
  expect(refused).toMatchObject({ code: Code.ResourceExhausted });
  expect(refused.rawMessage).toBe(
    "This application sent feedback 2 times in the last hour, which is the limit; retry later",
  );
  expect(refused.metadata.get("retry-after")).toBe("3540");
  await send(testTenant());
  few.clock.advance(3_540_000);
  await send();
});

test("one mail per application is in progress at a time, and other applications do not queue behind it", async () => {
  const slow = await startSmtpServer({ onMail: () => new Promise((resolve) => setTimeout(resolve, 300)) });
  const sent = {
    SMTP_URL: slow.url,
    SMTP_CA_FILE: slow.caFile,
    MAIL_FROM: "ems@example.com",
    FEEDBACK_TO: "team@example.com",
  };
  const busy = await notificationsHarness(sent, { log });
  const feedback = busy.client(FeedbackService);
  const send = (tenant = busy.tenant) => feedback.sendFeedback({ feedback: words }, testCall(tenant));
  const [order, many]: [string[], Promise<unknown>[]] = [[], []];
  for (let i = 0; i < 9; i++) many.push(send().then(({ success }) => order.push(success ? "sent" : "kept")));
  await expect.poll(() => slow.transmitted.length).toBeGreaterThan(0);
  expect((await send({ ...testTenant(), userId: knownUser.id })).success).toBe(true);
  order.push("other");
  await Promise.all(many);
  // One is in progress and five are queued; the rest is stored but not sent.
  expect(order.filter((outcome) => outcome === "sent")).toHaveLength(6);
  expect(order.indexOf("other")).toBeLessThan(order.lastIndexOf("sent"));
  await slow.close();
});
