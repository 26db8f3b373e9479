import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, testDatabase, testEvent } from "@ems/test-support";
import { afterAll, beforeEach, expect, inject, test, vi } from "vitest";
import { pruneDeadLetters } from "../dead-letters/index.ts";
import { deliveryHandler } from "../deliveries/index.ts";
import { notificationsSchema } from "../schema.ts";
import { type HandleEvents, inbox, pruneInbox } from "./inbox.ts";

const log = createLog("test", "silent");
const database = await testDatabase(inject("postgres"));
const url = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 4, log });
const clock = fixedClock();
const state = { woken: 0, extra: async (): Promise<void> => undefined };
const handlers: HandleEvents[] = [deliveryHandler(clock), () => state.extra()];
const onHandled = vi.fn(() => void state.woken++);
const consumer = inbox({ relayDatabase, clock, newId, log, handlers, onHandled });
afterAll(async () => {
  await relayDatabase.close();
  await database.drop();
});
beforeEach(async () => {
  onHandled.mockClear();
  await database.sql(
    "TRUNCATE notifications.inbox, notifications.dead_event, notifications.webhook, notifications.attempt, notifications.delivery",
  );
  state.woken = 0;
  state.extra = async () => undefined;
});

/** Creates an application with a webhook. */
async function newWebhook(isDisabled = false): Promise<{ applicationId: string; webhookId: string }> {
  const [applicationId, webhookId, now] = [newId(), newId(), clock.now()];
  await database.sql(
    `INSERT INTO notifications.webhook (application_id, id, org_id, url, secret, header_names, disabled_at, disabled_reason,
       created_at, modified_at) VALUES ($1, $2, 'org-1', 'https://example.com', 'sealed', '{}', $3, $4, $5, $5)`,
    [applicationId, webhookId, isDisabled ? now : null, isDisabled ? "GONE" : null, now],
  );
  return { applicationId, webhookId };
}

const rows = (table: "delivery" | "inbox" | "dead_event") => database.sql(`SELECT * FROM notifications.${table}`);

test("an event of an application with a webhook becomes a delivery that is due immediately, with the event's bytes", async () => {
  const { applicationId, webhookId } = await newWebhook();
  const event = testEvent({ applicationId, traceparent: "00-a-b-01", data: { title: "ä\u2028😀" } });
  await consumer.handle([event]);
  expect(await rows("delivery")).toEqual([
    expect.objectContaining({
      application_id: applicationId,
      id: event.id,
      org_id: "org-1",
      webhook_id: webhookId,
      type: "topic.created",
      payload: event.payload,
      traceparent: "00-a-b-01",
      status: "PENDING",
      created_at: clock.now(),
      next_attempt_at: clock.now(),
      schedule_steps: 10,
      attempt_count: 0,
      last_outcome: null,
    }),
  ]);
  expect(onHandled.mock.calls).toEqual([[[event]]]);
});

test("a redelivered event, alone, in a batch or concurrently, has no effect", async () => {
  const { applicationId } = await newWebhook();
  const events = Array.from({ length: 50 }, () => testEvent({ applicationId }));
  await Promise.all([
    consumer.handle([...events, ...events]),
    consumer.handle(events.toReversed()),
    ...events.map((event) => consumer.handle([event])),
  ]);
  expect(await rows("delivery")).toHaveLength(50);
  expect(await rows("inbox")).toHaveLength(50);
  const { woken } = state;
  await consumer.handle(events);
  expect(state.woken).toBe(woken);
});

test("without a webhook there is no delivery; a disabled webhook gets a failed delivery that can be resent", async () => {
  const [none, disabled] = [testEvent(), testEvent((await newWebhook(true)) as { applicationId: string })];
  await consumer.handle([none, disabled]);
  expect(await rows("delivery")).toEqual([
    expect.objectContaining({ id: disabled.id, status: "FAILED", next_attempt_at: null, last_outcome: "DISABLED" }),
  ]);
  expect(await rows("inbox")).toHaveLength(2);
});

test("another application's webhook receives nothing", async () => {
  const [ours, theirs] = [await newWebhook(), await newWebhook()];
  await consumer.handle([testEvent({ applicationId: ours.applicationId })]);
  expect(await rows("delivery")).toMatchObject([{ application_id: ours.applicationId, webhook_id: ours.webhookId }]);
  expect(theirs.webhookId).not.toBe(ours.webhookId);
});

test("a batch is handled in one transaction, or not at all", async () => {
  const { applicationId } = await newWebhook();
  const event = testEvent({ applicationId });
  state.extra = () => Promise.reject(new Error("the other handler fails"));
  await expect(consumer.handle([event])).rejects.toThrow("the other handler fails");
  expect([await rows("delivery"), await rows("inbox"), state.woken]).toEqual([[], [], 0]);
  state.extra = async () => undefined;
  await consumer.handle([event]);
  expect(await rows("delivery")).toHaveLength(1);
});

test("the handler waits for a concurrent deletion of the webhook, and creates no delivery", async () => {
  const { applicationId } = await newWebhook();
  await database.sql("GRANT DELETE ON notifications.webhook TO ems_notifications_relay");
  const [deleted, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deleting = relayDatabase.transaction(async (tx) => {
    await tx.query("DELETE FROM notifications.webhook");
    deleted.resolve();
    await committing.promise;
  });
  await deleted.promise;
  const taking = consumer.handle([testEvent({ applicationId })]);
  const waiting = () =>
    database.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
  await expect.poll(waiting).not.toHaveLength(0);
  committing.resolve();
  await deleting;
  await taking;
  expect(await rows("delivery")).toEqual([]);
});

test("a dead letter is stored byte by byte, once per ID; the service's role reads one application's", async () => {
  const [id, applicationId] = [newId(), newId()];
  const payload = Buffer.from([0, 255, 1]);
  const dead = { id, applicationId, subject: "ems.v1.evt.x", headers: { a: ["b\0"] }, payload, reason: "unknown type" };
  await consumer.deadLetter(dead);
  await consumer.deadLetter(dead);
  await consumer.deadLetter({ ...dead, id: undefined, applicationId: undefined });
  const stored = await rows("dead_event");
  expect(stored).toHaveLength(2);
  expect(stored).toContainEqual(
    expect.objectContaining({
      id,
      application_id: applicationId,
      payload,
      reason: "unknown type",
      headers: { a: ["b\ufffd"] },
    }),
  );
  expect(stored.map(({ application_id }) => application_id)).toContain("00000000-0000-0000-0000-000000000000");
  const grants = await database.sql(
    "SELECT DISTINCT grantee FROM information_schema.role_table_grants WHERE table_name = 'dead_event' ORDER BY 1",
  );
  const grantees = ["ems_backup", "ems_notifications", "ems_notifications_relay", "ems_owner"];
  expect(grants.map(({ grantee }) => grantee)).toEqual(grantees);
  // The role has a grant because erasures delete rows; no policy gives it access to rows outside its scope.
  const policies = await database.sql(
    "SELECT policyname FROM pg_policies WHERE tablename = 'dead_event' AND roles && '{public,ems_notifications}'::name[]",
  );
  expect(policies).toEqual([{ policyname: "tenant" }]);
  expect(database.getUrl(notificationsSchema)).not.toContain("ems_notifications_relay");
});

test("a read-only database is not ready", async () => {
  await expect(consumer.ready()).resolves.toBeUndefined();
  const alterRole = (change: string) =>
    database.sql(`DO $$ BEGIN
      EXECUTE format('ALTER ROLE ems_notifications_relay IN DATABASE %I ${change}', current_database());
    END $$`);
  await alterRole("SET default_transaction_read_only = on");
  const readOnly = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 1, log });
  const other = inbox({ relayDatabase: readOnly, clock, newId, log, handlers, onHandled: () => undefined });
  await expect(other.ready()).rejects.toThrow("read-only");
  await readOnly.close();
  await alterRole("RESET default_transaction_read_only");
});

test("events older than 30 days are pruned from the inbox", async () => {
  const event = testEvent();
  await consumer.handle([event]);
  clock.advance(30 * 86_400_000);
  await consumer.handle([testEvent()]);
  await pruneInbox({ relayDatabase, clock });
  expect(await rows("inbox")).toHaveLength(2);
  clock.advance(1);
  await pruneInbox({ relayDatabase, clock });
  expect(await rows("inbox")).toHaveLength(1);
});

test("dead letters older than 30 days are pruned, and the log states their number", async () => {
  const warn = vi.fn();
  const deps = { relayDatabase, clock, log: Object.assign(createLog("test", "silent"), { warn }) };
  const dead = { id: undefined, applicationId: undefined, subject: "x", headers: {}, reason: "unknown type" };
  const deadLetter = () => consumer.deadLetter({ ...dead, payload: Buffer.from("x") });
  await deadLetter();
  clock.advance(30 * 86_400_000);
  await deadLetter();
  await pruneDeadLetters(deps);
  expect(await rows("dead_event")).toHaveLength(2);
  expect(warn).not.toHaveBeenCalled();
  clock.advance(1);
  await pruneDeadLetters(deps);
  expect(await rows("dead_event")).toMatchObject([{ buried_at: new Date(clock.now().getTime() - 1) }]);
  expect(warn).toHaveBeenCalledWith({ events: 1 }, expect.any(String));
});
