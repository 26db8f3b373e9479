import { createClient, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import type { BackgroundLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { tenantKey } from "@ems/kit/rpc/call";
import type { PersonAssigned } from "@ems/proto/events/v1/event";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { capturedLog, fixedClock, testDatabase, testEvent } from "@ems/test-support";
import { startSmtpServer } from "@ems/test-support/smtp-server";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { people } from "../../test/harness.ts";
import { notificationsSchema } from "../schema.ts";
import { mailHandler } from "./event-handler.ts";
import { retainedMails } from "./jobs.ts";
import type { MailTransport } from "./mail.ts";
import { startMailer } from "./mailer.ts";
import { notifyOperator } from "./operator-mail.ts";
import { relayTransport } from "./transport.ts";

const database = await testDatabase(inject("postgres"));
const { log, text: logged } = capturedLog();
const relayUrl = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url: relayUrl, poolMax: 4, log });
const source = serviceDataSource({
  url: database.getUrl(notificationsSchema),
  poolMax: 2,
  schema: notificationsSchema,
  log,
});
await source.initialize();
const runtime = new Database(source);
const relay = await startSmtpServer();
const clock = fixedClock();
const handle = mailHandler(clock);
const identity = { isDown: false, requests: [] as (string | undefined)[] };
const noted: Interceptor = (next) => (request) => {
  identity.requests.push(request.contextValues.get(tenantKey)?.orgId);
  return next(request);
};
const users = createClient(
  UserService,
  createRouterTransport(
    ({ service }) =>
      service(UserService, {
        batchGetUsers: ({ ids }) => {
          if (identity.isDown) throw unavailable();
          return { users: [...people, ...crowd].filter(({ id }) => ids.includes(id)) };
        },
      }),
    { transport: { interceptors: [noted] } },
  ),
);
const crowd = Array.from({ length: 100 }, (_, at) => ({
  id: `user-${at}`,
  name: `P${at}`,
  email: `p${at}@example.com`,
}));
const from = { name: "Evaluations", address: "ems@example.com" };
const transport = await relayTransport({ url: relay.url, caFile: relay.caFile, from });
const running: BackgroundLoop[] = [];

beforeEach(() => {
  relay.misbehave(undefined);
  identity.isDown = false;
});
afterEach(async () => {
  for (const mailer of running.splice(0)) await mailer.stop();
  expect(logged()).not.toMatch(/@example\.com|Ada|First review/);
});
afterAll(async () => {
  transport.close();
  await relayDatabase.close();
  await source.destroy();
  await relay.close();
  await database.drop();
});

function start(through: MailTransport = transport, operatorTo: string | undefined = undefined): BackgroundLoop {
  const mailer = startMailer({ relayDatabase, transport: through, users, operatorTo, clock, newId, log });
  running.push(mailer);
  return mailer;
}

type Assignee = Omit<Partial<PersonAssigned>, "$typeName"> & { userId: string };
const event = (people: readonly Assignee[]) => {
  const quickstart = { id: newId(), title: "First review" };
  return testEvent({ orgId: `org-${newId()}`, type: "people.assigned", data: { people, quickstart } });
};
const review = (userId: string) => ({ userId, kbReviewCount: 1, topicIds: [newId()] });

async function assign(...userIds: string[]) {
  const assignment = event(userIds.map(review));
  await relayDatabase.transaction((tx) => handle(tx, [assignment]));
  return assignment;
}
const readJobs = ({ id }: { id: string }) =>
  database.sql<{ status: string; attempts: number; last_error: string | null; user_id: string; next_attempt_at: Date }>(
    "SELECT * FROM notifications.mail_job WHERE id = $1 ORDER BY user_id",
    [id],
  );
const untilJobs = (source: { id: string }, expected: object[]) =>
  expect.poll(() => readJobs(source)).toMatchObject(expected);

test("an assignment is mailed to its person, whom identity knows in the tenant's organization", async () => {
  const assignment = await assign("ada");
  start();
  await untilJobs(assignment, [{ status: "SENT", attempts: 1, last_error: null, next_attempt_at: null }]);
  const received = relay.mails.at(-1);
  expect(received?.to).toEqual(["ada@example.com"]);
  expect(received?.mail.subject).toBe("Review assigned: First review");
  expect(received?.mail.messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
  expect(identity.requests.at(-1)).toBe(assignment.orgId);
});

test("a redelivered event creates no second mail; other events create none", async () => {
  const assignment = event([review("ada")]);
  const other = testEvent({ applicationId: assignment.applicationId });
  await relayDatabase.transaction((tx) => handle(tx, [assignment, other]));
  await relayDatabase.transaction((tx) => handle(tx, [assignment]));
  const rows = await database.sql("SELECT FROM notifications.mail_job WHERE application_id = $1", [
    assignment.applicationId,
  ]);
  expect(rows).toHaveLength(1);
});

test("concurrent mailers send many people one mail each, none twice", async () => {
  const before = relay.mails.length;
  const assignment = await assign(...crowd.map(({ id }) => id));
  start();
  start();
  await untilJobs(
    assignment,
    crowd.map(() => ({ status: "SENT", attempts: 1 })),
  );
  const sent = relay.mails.slice(before).flatMap(({ to }) => to);
  expect(sent.filter((to) => to.startsWith("p")).sort()).toEqual(crowd.map(({ email }) => email).sort());
});

test("unknown people, missing addresses and header injections are skipped, others get their mails", async () => {
  const before = relay.mails.length;
  const assignment = await assign("ada", "ben", "mallory", "nobody");
  start();
  await untilJobs(assignment, [
    { user_id: "ada", status: "SENT" },
    { user_id: "ben", status: "SKIPPED", last_error: "NO_ADDRESS" },
    { user_id: "mallory", status: "SKIPPED", last_error: "NO_ADDRESS" },
    { user_id: "nobody", status: "SKIPPED", last_error: "UNKNOWN_PERSON" },
  ]);
  expect(relay.mails.length - before).toBe(1);
});

test("temporary rejections are retried after 1 m, 5 m, 30 m, 2 h, 6 h, 12 h and 24 h, then the mail fails", async () => {
  relay.misbehave({ at: "data", code: 451 });
  const assignment = await assign("ada");
  const mailer = start();
  const minutes = [1, 5, 30, 120, 360, 720, 1440];
  for (const [at, minute] of minutes.entries()) {
    const next_attempt_at = new Date(clock.now().getTime() + minute * 60_000);
    await untilJobs(assignment, [
      { status: "PENDING", attempts: at + 1, last_error: "REFUSED_FOR_NOW", next_attempt_at },
    ]);
    const before = relay.transmitted.length;
    clock.advance(minute * 60_000 - 1);
    mailer.wake();
    await mailer.idle();
    expect(relay.transmitted.length).toBe(before);
    clock.advance(1);
    mailer.wake();
  }
  await untilJobs(assignment, [{ status: "FAILED", attempts: 8, last_error: "REFUSED_FOR_NOW" }]);
  expect(logged()).toContain("will not be retried");
});

test("a connection lost after the mail is retried with the same Message-ID", async () => {
  relay.misbehave({ at: "data", drop: true });
  const assignment = await assign("ada");
  const mailer = start();
  await untilJobs(assignment, [{ status: "PENDING", attempts: 1, last_error: "CONNECTION" }]);
  relay.misbehave(undefined);
  clock.advance(60_000);
  mailer.wake();
  await untilJobs(assignment, [{ status: "SENT", attempts: 2 }]);
  const ids = relay.transmitted.slice(-2).map((raw) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
  expect(ids[0]).toMatch(/^<[0-9a-f]{32}@/);
  expect(ids[1]).toBe(ids[0]);
});

test("permanent rejections are not retried", async () => {
  relay.misbehave({ at: "recipient", code: 550 });
  const assignment = await assign("ada");
  start();
  await untilJobs(assignment, [{ status: "FAILED", attempts: 1, last_error: "REFUSED" }]);
});

test("while identity is down, mails wait and no attempt is charged", async () => {
  identity.isDown = true;
  const assignment = await assign("ada");
  const mailer = start();
  await untilJobs(assignment, [{ status: "PENDING", attempts: 0, last_error: "IDENTITY_DOWN" }]);
  identity.isDown = false;
  clock.advance(60_000);
  mailer.wake();
  await untilJobs(assignment, [{ status: "SENT", attempts: 1 }]);
});

test("a dead mailer's job is claimed by another after its lease", async () => {
  const assignment = await assign("ada");
  // Leases are measured by the database's clock.
  const lease = (until: string) =>
    database.sql(`UPDATE notifications.mail_job SET leased_until = ${until}, attempts = 1 WHERE id = $1`, [
      assignment.id,
    ]);
  await lease("now() + interval '1 minute'");
  const mailer = start();
  await mailer.idle();
  expect(await readJobs(assignment)).toMatchObject([{ status: "PENDING", attempts: 1 }]);
  await lease("now()");
  mailer.wake();
  await untilJobs(assignment, [{ status: "SENT", attempts: 2 }]);
});

test("an application with many mails does not delay another's", async () => {
  const many = await assign(...crowd.map(({ id }) => id));
  const before = relay.mails.length;
  const mailer = start();
  await expect.poll(() => relay.mails.length).toBeGreaterThan(before);
  const assignment = await assign("ada");
  mailer.wake();
  await untilJobs(assignment, [{ status: "SENT" }]);
  const isAdas = ({ to }: { to: readonly string[] }) => to.includes("ada@example.com");
  await expect.poll(() => relay.mails.slice(before).length).toBe(crowd.length + 1);
  expect(relay.mails.slice(before).findIndex(isAdas)).toBeLessThan(crowd.length / 2);
  await expect.poll(async () => (await readJobs(many)).every(({ status }) => status === "SENT")).toBe(true);
});

test("a job of a kind that only a newer version knows remains; others are sent", async () => {
  const newer = await assign("ada");
  await database.sql("UPDATE notifications.mail_job SET content = $2 WHERE id = $1", [newer.id, { kind: "NEWS" }]);
  const mailer = start();
  await expect.poll(logged).toContain("no template for NEWS");
  expect(await readJobs(newer)).toMatchObject([{ status: "PENDING", attempts: 1 }]);
  const before = relay.transmitted.length;
  const reachable = await assign("ada");
  mailer.wake();
  await untilJobs(reachable, [{ status: "SENT" }]);
  expect(relay.transmitted.length - before).toBe(1);
  await database.sql("DELETE FROM notifications.mail_job WHERE id = $1", [newer.id]);
});

test.each(["NO_RELAY", "KEPT"] as const)("without a relay (%s) a mail is skipped", async (fault) => {
  const assignment = await assign("ada");
  start({ send: async () => ({ isSent: false, fault, isPermanent: true }), close: () => undefined });
  await untilJobs(assignment, [{ status: "SKIPPED", last_error: fault }]);
});

test("the operator is notified of a disabled webhook, without its path; without an operator no mail is sent", async () => {
  const url = "https://hooks.example.org:8443/secret?token=1";
  const tenant = { applicationId: newId(), orgId: "org-1" };
  const webhook = { ...tenant, webhookId: newId(), url, reason: "GONE" as const, disabledAt: clock.now() };
  const disable = async () => {
    const id = newId();
    const deadlineMs = monotonicMs() + 10_000;
    await runtime.withScope(tenant, deadlineMs, (tx) => notifyOperator(() => id)(tx, webhook));
    return { id };
  };
  const first = await disable();
  start(transport, "operator@example.com");
  await untilJobs(first, [{ status: "SENT", user_id: "" }]);
  const received = relay.mails.at(-1);
  expect(received?.to).toEqual(["operator@example.com"]);
  expect(received?.mail.subject).toBe("Webhook disabled: https://hooks.example.org:8443");
  expect(received?.raw).not.toContain("secret");
  for (const mailer of running.splice(0)) await mailer.stop();
  const second = await disable();
  start();
  await untilJobs(second, [{ status: "SKIPPED", last_error: "NO_OPERATOR" }]);
});

test("jobs are deleted 30 days after their end", async () => {
  const [old, young] = [await assign("ada"), await assign("ben")];
  const mailer = start();
  await untilJobs(old, [{ status: "SENT" }]);
  await untilJobs(young, [{ status: "SKIPPED" }]);
  await mailer.stop();
  await database.sql("UPDATE notifications.mail_job SET finished_at = $2 WHERE id = $1", [
    old.id,
    new Date(clock.now().getTime() - 30 * 24 * 3_600_000 - 1),
  ]);
  const limit = new Date(clock.now().getTime() - 30 * 24 * 3_600_000);
  await retainedMails(30, relayDatabase).clear(limit, async () => undefined);
  expect([(await readJobs(old)).length, (await readJobs(young)).length]).toEqual([0, 1]);
});
