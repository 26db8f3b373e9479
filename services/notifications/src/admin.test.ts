import { createClient } from "@connectrpc/connect";
import { Code } from "@ems/kit/errors";
import { buildHeaders } from "@ems/kit/events/message";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { inProcessTransport } from "@ems/kit/rpc/in-process";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import { FeedbackAdminService, ResendOutcome } from "@ems/proto/notifications/v1/feedback_admin_service";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import { fixedClock, testCall, testEvent, testTenant } from "@ems/test-support";
import { afterAll, afterEach, expect, test } from "vitest";
import { notificationsHarness } from "../test/harness.ts";
import { createNotificationsAdmin, operator } from "./admin.ts";
import { notificationsSchema } from "./schema.ts";

const SEALING_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;
const { database, client } = await notificationsHarness({ SEALING_KEYS });

function admin({ keys = SEALING_KEYS as string | null, stopping = new AbortController().signal } = {}) {
  const service = createNotificationsAdmin(
    { RELAY_DATABASE_URL: database.getRelayUrl(notificationsSchema), SEALING_KEYS: keys ?? undefined },
    { log: createLog("admin", "silent"), clock: fixedClock(), newId, random: secureRandom, stopping },
  );
  afterAll(() => service.close());
  const as = (name: string) => inProcessTransport(() => service.endpoints, name);
  return {
    as,
    deadLetters: createClient(DeadLetterService, as(operator)),
    feedback: createClient(FeedbackAdminService, as(operator)),
  };
}
const { as, deadLetters, feedback } = admin();
const options = { timeoutMs: 30_000 };

async function addDeadLetter(event = testEvent(), buriedAt = "2026-01-15T12:00:00.000Z"): Promise<string> {
  const headers = Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
  await database.sql(
    `INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
     VALUES ($1, $2, $3, $4, $5, 'failed', $6)`,
    [event.applicationId, event.id, event.subject, JSON.stringify(headers), event.body, buriedAt],
  );
  return event.id;
}

/** Adds feedback that was sent without a mail relay; returns its ID. */
async function addUnsent(text: string): Promise<string> {
  const tenant = testTenant();
  await client(FeedbackService).sendFeedback({ feedback: text }, testCall(tenant));
  const sql = "SELECT id FROM notifications.feedback WHERE application_id = $1";
  return (await database.sql<{ id: string }>(sql, [tenant.applicationId]))[0]?.id ?? "";
}

afterEach(async () => {
  await database.sql("DELETE FROM notifications.dead_event");
  await database.sql("DELETE FROM notifications.feedback");
});

test("no process of the mesh may call the operator's RPCs", async () => {
  for (const caller of ["gateway", "notifications"]) {
    const refused = createClient(DeadLetterService, as(caller)).listDeadLetters({ limit: 1 }, options);
    await expect(refused).rejects.toMatchObject({ code: Code.PermissionDenied });
  }
});

test("dead letters are listed newest first, up to the limit, with their total", async () => {
  const older = await addDeadLetter();
  const newer = await addDeadLetter(testEvent(), "2026-01-16T12:00:00.000Z");
  const all = await deadLetters.listDeadLetters({ limit: 2 }, options);
  expect(all.deadLetters.map(({ id }) => id)).toEqual([newer, older]);
  const firstPage = await deadLetters.listDeadLetters({ limit: 1 }, options);
  expect([firstPage.deadLetters.length, firstPage.total]).toEqual([1, 2]);
  await expect(deadLetters.listDeadLetters({}, options)).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a retry handles what it can and removes it; the rest remains with its reason", async () => {
  const good = await addDeadLetter();
  const bad = await addDeadLetter({ ...testEvent(), type: "nobody.knows" });
  const failures = [expect.objectContaining({ id: bad, reason: "unknown type" })];
  expect(await deadLetters.retryDeadLetters({}, options)).toMatchObject({ handledIds: [good], failures });
  expect((await deadLetters.listDeadLetters({ limit: 9 }, options)).deadLetters).toMatchObject([{ id: bad }]);
  const inbox = await database.sql("SELECT FROM notifications.inbox WHERE event_id = $1", [good]);
  expect(inbox.length).toBe(1);
  const unknown = await deadLetters.retryDeadLetters({ ids: [newId()] }, options);
  expect(unknown).toMatchObject({ handledIds: [], failures: [] });
});

test("unsent feedback is listed, and its text only with the sealing keys", async () => {
  const id = await addUnsent("it could be better");
  const plain = await feedback.listUnsentFeedback({ limit: 9 }, options);
  expect(plain).toMatchObject({ feedback: [{ id, reason: "NO_RELAY" }], missedTotal: 0 });
  expect(plain.feedback[0]?.text).toBeUndefined();
  const listed = await feedback.listUnsentFeedback({ withText: true, oldestFirst: true }, options);
  expect(listed.feedback).toMatchObject([{ id, text: "it could be better" }]);
  for (const keys of [null, `test:${Buffer.alloc(32, 8).toString("base64")}`]) {
    const refused = admin({ keys }).feedback.listUnsentFeedback({ withText: true }, options);
    await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
  }
});

test("feedback is resent by the running product, and the response has the outcome", async () => {
  const id = await addUnsent("again");
  const failed = { outcome: ResendOutcome.FAILED, reason: "NO_RELAY" };
  expect(await feedback.resendFeedback({ id }, options)).toMatchObject(failed);
  expect(await feedback.resendFeedback({ id: "nonsense" }, options)).toMatchObject({
    outcome: ResendOutcome.NOT_FOUND,
  });
});

test("a request that was not claimed is withdrawn when the process stops", async () => {
  const id = await addUnsent("never");
  const stopped = admin({ stopping: AbortSignal.abort() });
  const { outcome } = await stopped.feedback.resendFeedback({ id }, options);
  expect(outcome).toBe(ResendOutcome.NOT_TAKEN_UP);
  expect(await database.sql("SELECT status FROM notifications.feedback WHERE id = $1", [id])).toEqual([
    { status: "FAILED" },
  ]);
});
