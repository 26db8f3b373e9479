// Tests `ems feedback` with the notifications service and a real mail server.

import { newId } from "@ems/kit/id";
import { metricsText } from "@ems/kit/telemetry/metrics";
import { notificationsSchema } from "@ems/notifications/schema";
import { knownUser, notificationsHarness } from "@ems/notifications/test/harness";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import { capturedLog, testCall, testDatabase, testTenant } from "@ems/test-support";
import { type Misbehaviour, startSmtpServer } from "@ems/test-support/smtp-server";
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { exits } from "./failure.ts";
import { runEms } from "./test/ems.ts";

vi.setConfig({ testTimeout: 60_000 });

const keys = `test:${Buffer.alloc(32, 7).toString("base64")}`;
const relay = await startSmtpServer();
afterAll(() => relay.close());
const { log, text: logged } = capturedLog();
const { database, client } = await notificationsHarness(
  {
    SMTP_URL: relay.url,
    SMTP_CA_FILE: relay.caFile,
    MAIL_FROM: "ems@example.com",
    FEEDBACK_TO: "team@example.com",
    SEALING_KEYS: keys,
  },
  { log },
);
const refuses = { at: "data", code: 451 } as const;

beforeEach(() => relay.misbehave(undefined));
afterEach(async () => {
  await database.sql("DELETE FROM notifications.feedback");
  expect(logged()).not.toMatch(/could be better|example\.com/);
});

/** Runs `ems feedback` on the database, and returns its output without the last line break. */
async function ems(args: readonly string[], { env = {}, stopped = new AbortController().signal } = {}) {
  const url = database.getRelayUrl(notificationsSchema);
  const ran = await runEms(["feedback", ...args], { env: { RELAY_DATABASE_URL: url, ...env }, stopped });
  return { code: ran.code, stdout: ran.stdout.trimEnd(), stderr: ran.stderr.trimEnd() };
}

async function json(args: readonly string[], env = {}) {
  const { code, stdout } = await ems([...args, "--json"], { env });
  return { code, body: JSON.parse(stdout) };
}

const listed = async () => (await json(["list"])).body.feedback.map(({ id }: { id: string }) => id);
const findRow = async (id: string) =>
  (await database.sql("SELECT * FROM notifications.feedback WHERE id = $1", [id])).at(0);

/** Creates feedback whose mail the relay does not confirm. Returns its id. */
async function unsentFeedback(how: Misbehaviour = refuses, words = `${newId()} could be better`) {
  relay.misbehave(how);
  const tenant = { ...testTenant(), userId: knownUser.id };
  const { success } = await client(FeedbackService).sendFeedback({ feedback: words }, testCall(tenant));
  expect(success).toBe(false);
  relay.misbehave(undefined);
  const rows = await database.sql<{ id: string }>("SELECT id FROM notifications.feedback WHERE application_id = $1", [
    tenant.applicationId,
  ]);
  return { id: rows[0]?.id ?? "", applicationId: tenant.applicationId, words };
}

test("unsent feedback is listed with its reason, and with its text only with --show and the keys", async () => {
  const hostile = `could be better: \u001b[31mred\u001b[0m\r\n${newId()}`;
  const { id, applicationId, words } = await unsentFeedback({ at: "recipient", code: 550 }, hostile);
  const listed = { id, applicationId, reason: "REFUSED", createdAt: "2026-01-15T12:00:00.000Z" };
  expect(await json(["list"])).toEqual({ code: 0, body: { feedback: [listed] } });
  const withText = { ...listed, text: words };
  expect(await json(["list", "--show"], { SEALING_KEYS: keys })).toEqual({ code: 0, body: { feedback: [withText] } });
  const { stdout } = await ems(["list", "--show"], { env: { SEALING_KEYS: keys } });
  expect(stdout).toContain(`    could be better: \\u001b[31mred\\u001b[0m\n    ${hostile.slice(-36)}`);
  for (const env of [{}, { SEALING_KEYS: `test:${Buffer.alloc(32, 8).toString("base64")}` }]) {
    const { code, stderr } = await ems(["list", "--show"], { env });
    expect([code, stderr]).toEqual([exits.failed, expect.stringContaining("SEALING_KEYS")]);
  }
  expect(await metricsText()).toContain("\nems_feedback_unsent 1\n");
});

test("resent feedback is sent once, with the first Message-ID and its event, and is unsent no longer", async () => {
  const { id, applicationId, words } = await unsentFeedback();
  const [first, sentBefore] = [relay.transmitted.at(-1), relay.transmitted.length];
  expect(await json(["resend", id])).toEqual({ code: 0, body: { sent: [id], unsent: [] } });
  expect(relay.transmitted.length - sentBefore).toBe(1);
  const { to, mail, raw } = relay.mails.at(-1) ?? {};
  expect([to, mail?.replyTo]).toEqual([["team@example.com"], [{ name: "", address: knownUser.email }]]);
  expect(mail?.text).toContain(words);
  const messageId = /^Message-ID: .*$/m;
  expect(messageId.exec(raw ?? "")?.[0]).toBe(messageId.exec(first ?? "")?.[0]);
  expect(await findRow(id)).toMatchObject({ status: "SENT", error: null, sent_at: expect.any(Date) });
  const events = await database.sql("SELECT type FROM notifications.outbox WHERE application_id = $1", [applicationId]);
  expect(events).toEqual([{ type: "feedback.sent" }]);
  expect(await listed()).toEqual([]);

  const repeat = await ems(["resend", id]);
  expect([repeat.code, repeat.stderr]).toEqual([exits.conflict, `Already sent: ${id}.`]);
  expect(relay.transmitted.length - sentBefore).toBe(1);
});

test("refused again, it stays unsent, and is not sent with another", async () => {
  const [refused, other] = [await unsentFeedback(), await unsentFeedback()];
  const sentBefore = relay.transmitted.length;
  relay.misbehave({ at: "data", code: 554 });
  const left = [{ id: refused.id, reason: "REFUSED" }];
  expect(await json(["resend", refused.id])).toEqual({ code: exits.failed, body: { sent: [], unsent: left } });
  relay.misbehave(undefined);
  expect((await ems(["resend", other.id])).code).toBe(0);
  expect(relay.transmitted.length - sentBefore).toBe(2);
  expect(await listed()).toEqual([refused.id]);
});

test("--all sends all, oldest first; one that fails does not stop the others", async () => {
  const [first, bad, last] = [await unsentFeedback(), await unsentFeedback(), await unsentFeedback()];
  for (const [at, { id }] of [first, bad, last].entries()) {
    await database.sql(
      "UPDATE notifications.feedback SET created_at = created_at + $2 * interval '1 s' WHERE id = $1",
      [id, at],
    );
  }
  await database.sql("UPDATE notifications.feedback SET text = 'gone:AAAA' WHERE id = $1", [bad.id]);
  const left = [{ id: bad.id, reason: "OTHER" }];
  expect(await json(["resend", "--all"])).toEqual({
    code: exits.failed,
    body: { sent: [first.id, last.id], unsent: left },
  });
  expect(await listed()).toEqual([bad.id]);
});

test("an unknown id is not found; the others are sent", async () => {
  const { id } = await unsentFeedback();
  const unknown = newId();
  const { code, stdout, stderr } = await ems(["resend", unknown, "nonsense", id, id]);
  expect([code, stdout, stderr]).toEqual([exits.notFound, `sent    ${id}`, `Unknown feedback: ${unknown}, nonsense.`]);
});

test("neither ids nor --all, and both, are usage errors", async () => {
  const { id } = await unsentFeedback();
  for (const args of [[], [id, "--all"]]) expect((await ems(["resend", ...args])).code).toBe(exits.usage);
  expect(await listed()).toEqual([id]);
});

test("feedback being sent is a conflict; after its process died it is IN_DOUBT and can be resent", async () => {
  const { id } = await unsentFeedback();
  const sending = "UPDATE notifications.feedback SET status = 'SENDING', error = NULL, asked_at = $2 WHERE id = $1";
  await database.sql(sending, [id, "infinity"]);
  expect(await listed()).toEqual([]);
  const { code, stderr } = await ems(["resend", id]);
  expect([code, stderr]).toEqual([exits.conflict, `Being sent: ${id}.`]);
  await database.sql(sending, [id, null]);
  expect((await json(["list"])).body.feedback).toMatchObject([{ id, reason: "IN_DOUBT" }]);
  expect(await json(["resend", id])).toEqual({ code: 0, body: { sent: [id], unsent: [] } });
});

test("two concurrent resends send once", async () => {
  const { id } = await unsentFeedback();
  const sentBefore = relay.transmitted.length;
  await Promise.all([ems(["resend", id]), ems(["resend", id])]);
  expect(relay.transmitted.length - sentBefore).toBe(1);
  expect(await findRow(id)).toMatchObject({ status: "SENT" });
});

test("without a notifications process the request is withdrawn, and not sent later", async () => {
  const { id } = await unsentFeedback();
  const idle = await testDatabase(inject("postgres"));
  try {
    const row = "SELECT * FROM notifications.feedback WHERE id = $1";
    const [unsent] = await database.sql<Record<string, unknown>>(row, [id]);
    const names = Object.keys(unsent ?? {});
    const holes = names.map((_, at) => `$${at + 1}`);
    await idle.sql(`INSERT INTO notifications.feedback (${names}) VALUES (${holes})`, Object.values(unsent ?? {}));
    const { code, stdout, stderr } = await ems(["resend", "--all"], {
      env: { RELAY_DATABASE_URL: idle.getRelayUrl(notificationsSchema) },
      stopped: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([exits.stopped, `unsent  ${id}: NOT_TAKEN_UP`]);
    expect(stderr).toContain("no notifications process took the request");
    expect(await idle.sql(row, [id])).toMatchObject([{ status: "FAILED", error: "REFUSED_FOR_NOW" }]);
  } finally {
    await idle.drop();
  }
});

test("a stale request of an interrupted command is sent only when requested again", async () => {
  const [stale, other] = [await unsentFeedback(), await unsentFeedback()];
  await database.sql(
    "UPDATE notifications.feedback SET status = 'ASKED', asked_at = now() - interval '61 s' WHERE id = $1",
    [stale.id],
  );
  expect((await ems(["resend", other.id])).code).toBe(0);
  expect(await listed()).toEqual([stale.id]);
  expect((await ems(["resend", stale.id])).code).toBe(0);
});
