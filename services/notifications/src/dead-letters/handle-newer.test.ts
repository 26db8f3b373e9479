import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { BusEvent } from "@ems/kit/events/bus";
import { buildHeaders } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, testDatabase, testEvent } from "@ems/test-support";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { deliveryHandler } from "../deliveries/index.ts";
import { inbox } from "../events/index.ts";
import { notificationsSchema } from "../schema.ts";
import { handleNewer } from "./handle-newer.ts";

const log = createLog("test", "silent");
const database = await testDatabase(inject("postgres"));
const url = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 2, log });
const clock = fixedClock();
const state = { fails: false, isDown: false };
const failing = async () => {
  if (state.fails) throw new Error("refused");
};
const handlers = [deliveryHandler(clock), failing];
const consumer = inbox({ relayDatabase, clock, newId, log, handlers, onHandled: () => undefined });
const ready = () => (state.isDown ? Promise.reject(new Error("down")) : consumer.ready());
const run = () => handleNewer({ relayDatabase, handler: { handle: consumer.handle, ready }, log });
afterAll(async () => {
  await relayDatabase.close();
  await database.drop();
});
beforeEach(async () => {
  Object.assign(state, { fails: false, isDown: false });
  await database.sql("TRUNCATE notifications.inbox, notifications.dead_event");
});

/** Stores a message as a dead letter, as the previous, JSON-only version did. */
async function putAside(event: BusEvent): Promise<void> {
  const { id, applicationId, subject, body } = event;
  const headers = Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
  await consumer.deadLetter({ id, applicationId, subject, headers, payload: body, reason: reasonOfBefore(body) });
}

function reasonOfBefore(body: Uint8Array): string {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch (error) {
    return error instanceof SyntaxError ? "not JSON" : "not UTF-8";
  }
  throw new Error("the previous version could read it");
}

const reasons = async () =>
  (await database.sql("SELECT reason FROM notifications.dead_event ORDER BY 1")).map(({ reason }) => reason);
const inboxIds = async () =>
  (await database.sql("SELECT event_id FROM notifications.inbox")).map(({ event_id }) => event_id).sort();

test("a dead letter of the previous version is delivered once after the upgrade", async () => {
  const applicationId = newId();
  await database.sql(
    `INSERT INTO notifications.webhook (application_id, id, org_id, url, secret, header_names, created_at, modified_at)
     VALUES ($1, $2, 'org-1', 'https://example.com', 'sealed', '{}', now(), now())`,
    [applicationId, newId()],
  );
  // More than one batch. A reconciliation has handled some of the events in the meantime.
  const events = Array.from({ length: 150 }, () => testEvent({ applicationId, data: { title: "ä" } }));
  for (const event of events) await putAside(event);
  await consumer.handle(events.slice(0, 10));
  expect(await run()).toBe(150);
  expect(await reasons()).toEqual([]);
  expect(await inboxIds()).toEqual(events.map(({ id }) => id).sort());
  const sent = await database.sql("SELECT payload FROM notifications.delivery WHERE application_id = $1", [
    applicationId,
  ]);
  expect(sent.map(({ payload }) => payload).sort()).toEqual(events.map(({ payload }) => payload).sort());
  expect(await run()).toBe(0);
});

test("a type that is now readable is handled; an unreadable one remains and is not retried endlessly", async () => {
  const readable = testEvent();
  const headers = (event: BusEvent) => Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
  const add = (event: BusEvent, reason: string, payload: Uint8Array = event.body) =>
    consumer.deadLetter({ ...event, headers: headers(event), payload, reason });
  await add(readable, "unknown type");
  await add({ ...testEvent(), type: "planet.discovered" }, "unknown type");
  await add(testEvent(), "not UTF-8", Buffer.from([255]));
  await add({ ...testEvent(), isJson: true }, "not JSON");
  await add(testEvent(), "catalog does not publish api_key.deleted");
  expect(await run()).toBe(1);
  expect(await inboxIds()).toEqual([readable.id]);
  const left = ["catalog does not publish api_key.deleted", "not JSON", "not handled: not an Event", "unknown type"];
  expect(await reasons()).toEqual(left);
  expect(await run()).toBe(0);
});

test("a dead letter that cannot be handled is left to an operator; during an outage all wait", async () => {
  await putAside(testEvent());
  Object.assign(state, { fails: true, isDown: true });
  await expect(run()).rejects.toThrow("down");
  expect(await reasons()).toEqual(["not UTF-8"]);
  state.isDown = false;
  expect(await run()).toBe(0);
  expect(await reasons()).toEqual(["not handled: refused"]);
});
