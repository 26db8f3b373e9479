// `ems feedback` on notifications with a real relay: what the relay did not confirm goes out when an operator says so.

import { newId } from "@ems/kit/id";
import { metricsText } from "@ems/kit/telemetry/metrics";
import { notificationsSchema } from "@ems/notifications/schema";
import { knownUser, notificationsHarness } from "@ems/notifications/test/harness";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import { capturedLog, testCall, testDatabase, testTenant } from "@ems/test-support";
import { type Misbehaviour, startSmtpServer } from "@ems/test-support/smtp-server";
import { CommanderError } from "commander";
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { withEscapedOutput } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { createProgram } from "./program.ts";

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

/** The command line in this process, on the database of `RELAY_DATABASE_URL`. */
async function ems(args: readonly string[], { env = {}, stopped = new AbortController().signal } = {}) {
  const [out, say] = [[] as string[], [] as string[]];
  const cli = withEscapedOutput({
    env: { RELAY_DATABASE_URL: database.relayUrlOf(notificationsSchema), ...env },
    stopped,
    out: (text) => out.push(text),
    info: (sentence) => say.push(sentence),
  });
  const program = createProgram(cli);
  const code = await program.parseAsync(["feedback", ...args], { from: "user" }).then(
    () => exits.done,
    (error: unknown) => {
      if (error instanceof CommanderError) return exits.usage;
      if (!(error instanceof Failure)) throw error;
      say.push(error.message);
      return error.exit;
    },
  );
  return { code, stdout: out.join("\n"), said: say.join("\n") };
}

async function json(args: readonly string[], env = {}) {
  const { code, stdout } = await ems([...args, "--json"], { env });
  return { code, body: JSON.parse(stdout) };
}

const listed = async () => (await json(["list"])).body.feedback.map(({ id }: { id: string }) => id);
const rowOf = async (id: string) =>
  (await database.sql("SELECT * FROM notifications.feedback WHERE id = $1", [id])).at(0);

/** Feedback that the relay does not confirm; answers its id. */
async function keptFeedback(how: Misbehaviour = refuses, words = `${newId()} could be better`) {
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

test("what is kept is listed with its reason, and with what it says only for whoever asks and has the keys", async () => {
  const hostile = `could be better: \u001b[31mred\u001b[0m\r\n${newId()}`;
  const { id, applicationId, words } = await keptFeedback({ at: "recipient", code: 550 }, hostile);
  const one = { id, applicationId, reason: "REFUSED", createdAt: "2026-01-15T12:00:00.000Z" };
  expect(await json(["list"])).toEqual({ code: 0, body: { feedback: [one] } });
  const shown = { ...one, text: words };
  expect(await json(["list", "--show"], { SEALING_KEYS: keys })).toEqual({ code: 0, body: { feedback: [shown] } });
  const { stdout } = await ems(["list", "--show"], { env: { SEALING_KEYS: keys } });
  expect(stdout).toContain(`    could be better: \\u001b[31mred\\u001b[0m\n    ${hostile.slice(-36)}`);
  for (const env of [{}, { SEALING_KEYS: `test:${Buffer.alloc(32, 8).toString("base64")}` }]) {
    const { code, said } = await ems(["list", "--show"], { env });
    expect([code, said]).toEqual([exits.failed, expect.stringContaining("SEALING_KEYS")]);
  }
  expect(await metricsText()).toContain("\nems_feedback_unsent 1\n");
});

test("resent, it goes out once as it would have the first time, is told, and is kept no longer", async () => {
  const { id, applicationId, words } = await keptFeedback();
  const [first, sentBefore] = [relay.transmitted.at(-1), relay.transmitted.length];
  expect(await json(["resend", id])).toEqual({ code: 0, body: { sent: [id], left: [] } });
  expect(relay.transmitted.length - sentBefore).toBe(1);
  const { to, mail, raw } = relay.mails.at(-1) ?? {};
  expect([to, mail?.replyTo]).toEqual([["team@example.com"], [{ name: "", address: knownUser.email }]]);
  expect(mail?.text).toContain(words);
  const messageId = /^Message-ID: .*$/m;
  expect(messageId.exec(raw ?? "")?.[0]).toBe(messageId.exec(first ?? "")?.[0]);
  expect(await rowOf(id)).toMatchObject({ status: "SENT", error: null, sent_at: expect.any(Date) });
  const told = await database.sql("SELECT type FROM notifications.outbox WHERE application_id = $1", [applicationId]);
  expect(told).toEqual([{ type: "feedback.sent" }]);
  expect(await listed()).toEqual([]);

  const again = await ems(["resend", id]);
  expect([again.code, again.said]).toEqual([exits.conflict, `Went out before: ${id}.`]);
  expect(relay.transmitted.length - sentBefore).toBe(1);
});

test("a relay that refuses again: it stays, and goes out with no other", async () => {
  const [kept, other] = [await keptFeedback(), await keptFeedback()];
  const sentBefore = relay.transmitted.length;
  relay.misbehave({ at: "data", code: 554 });
  const left = [{ id: kept.id, reason: "REFUSED" }];
  expect(await json(["resend", kept.id])).toEqual({ code: exits.failed, body: { sent: [], left } });
  relay.misbehave(undefined);
  expect((await ems(["resend", other.id])).code).toBe(0);
  expect(relay.transmitted.length - sentBefore).toBe(2);
  expect(await listed()).toEqual([kept.id]);
});

test("--all sends all, the oldest first; what cannot go out holds up nothing", async () => {
  const [first, bad, last] = [await keptFeedback(), await keptFeedback(), await keptFeedback()];
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
    body: { sent: [first.id, last.id], left },
  });
  expect(await listed()).toEqual([bad.id]);
});

test("an id that nobody knows is not found; the others go out", async () => {
  const { id } = await keptFeedback();
  const unknown = newId();
  const { code, stdout, said } = await ems(["resend", unknown, "nonsense", id, id]);
  expect([code, stdout, said]).toEqual([
    exits.notFound,
    `sent  ${id}`,
    `There is no such feedback: ${unknown}, nonsense.`,
  ]);
});

test("neither ids nor --all, and both, are no command lines", async () => {
  const { id } = await keptFeedback();
  for (const args of [[], [id, "--all"]]) expect((await ems(["resend", ...args])).code).toBe(exits.usage);
  expect(await listed()).toEqual([id]);
});

test("what is being sent is left alone; what a process was sending that is gone is in doubt, and can be resent", async () => {
  const { id } = await keptFeedback();
  const sending = "UPDATE notifications.feedback SET status = 'SENDING', error = NULL, asked_at = $2 WHERE id = $1";
  await database.sql(sending, [id, "infinity"]);
  expect(await listed()).toEqual([]);
  const { code, said } = await ems(["resend", id]);
  expect([code, said]).toEqual([exits.conflict, `Being sent at the moment: ${id}.`]);
  await database.sql(sending, [id, null]);
  expect((await json(["list"])).body.feedback).toMatchObject([{ id, reason: "IN_DOUBT" }]);
  expect(await json(["resend", id])).toEqual({ code: 0, body: { sent: [id], left: [] } });
});

test("two operators at once have it sent once", async () => {
  const { id } = await keptFeedback();
  const sentBefore = relay.transmitted.length;
  await Promise.all([ems(["resend", id]), ems(["resend", id])]);
  expect(relay.transmitted.length - sentBefore).toBe(1);
  expect(await rowOf(id)).toMatchObject({ status: "SENT" });
});

test("nobody there to send it: the question is taken back, and nobody sends it later", async () => {
  const { id } = await keptFeedback();
  const idle = await testDatabase(inject("postgres"));
  try {
    const row = "SELECT * FROM notifications.feedback WHERE id = $1";
    const [kept] = await database.sql<Record<string, unknown>>(row, [id]);
    const names = Object.keys(kept ?? {});
    const holes = names.map((_, at) => `$${at + 1}`);
    await idle.sql(`INSERT INTO notifications.feedback (${names}) VALUES (${holes})`, Object.values(kept ?? {}));
    const { code, stdout, said } = await ems(["resend", "--all"], {
      env: { RELAY_DATABASE_URL: idle.relayUrlOf(notificationsSchema) },
      stopped: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([exits.failed, `left  ${id}: NOT_TAKEN_UP`]);
    expect(said).toContain("Nobody takes it up");
    expect(await idle.sql(row, [id])).toMatchObject([{ status: "FAILED", error: "REFUSED_FOR_NOW" }]);
  } finally {
    await idle.drop();
  }
});

test("what was asked for long ago, by an operator who was cut off, is sent only when it is asked for anew", async () => {
  const [stale, other] = [await keptFeedback(), await keptFeedback()];
  await database.sql(
    "UPDATE notifications.feedback SET status = 'ASKED', asked_at = now() - interval '61 s' WHERE id = $1",
    [stale.id],
  );
  expect((await ems(["resend", other.id])).code).toBe(0);
  expect(await listed()).toEqual([stale.id]);
  expect((await ems(["resend", stale.id])).code).toBe(0);
});
