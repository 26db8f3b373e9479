// The outboxes of services, a real NATS server and this service's consumer together: despite failures, the inbox
// finally contains the outboxes' events.

import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { EventBus, Subscription } from "@ems/kit/events/bus";
import { openNatsBus } from "@ems/kit/events/nats/bus";
import { Relay } from "@ems/kit/events/relay";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, testDatabase, testEvent, testNats } from "@ems/test-support";
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { inbox } from "./inbox.ts";
import { reconcile } from "./reconcile.ts";

const log = createLog("test", "silent");
const database = await testDatabase(inject("postgres"));
const openRelayDatabase = (schema: { name: string }, poolMax: number) =>
  new RelayDatabase({ schema, url: database.getRelayUrl(schema), poolMax, log });
const relayDatabase = openRelayDatabase({ name: "notifications" }, 10);
const relayDatabases = new Map(["catalog", "identity"].map((name) => [name, openRelayDatabase({ name }, 5)]));
const nats = await testNats();
// If a consumer is killed before it acknowledges a message, NATS redelivers the message after 30 s.
vi.setConfig({ testTimeout: 240_000 });
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 90_000, interval: 20 });
const relays: Relay[] = [];
let bus: EventBus;
let consumption: Subscription;

beforeAll(async () => {
  bus = await openNatsBus({ url: nats.url, name: "test", log, replicas: 1 });
  relays.push(
    ...[...relayDatabases].map(([schema, database]) => new Relay({ schema, relayDatabase: database, bus, log })),
  );
  consumption = consume();
});
afterAll(async () => {
  await consumption.stop();
  for (const relay of relays) await relay.stop();
  await bus.close();
  for (const database of [relayDatabase, ...relayDatabases.values()]) await database.close();
  await database.drop();
});
beforeEach(() =>
  database.sql("TRUNCATE catalog.outbox, identity.outbox, notifications.inbox, notifications.dead_event"),
);

function consume(): Subscription {
  return bus.consume(
    inbox({ relayDatabase, clock: fixedClock(), newId, log, handlers: [], onHandled: () => undefined }),
  );
}

async function publish(schema: string, type: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => testEvent({ type }));
  await database.sql(
    `INSERT INTO ${schema}.outbox (application_id, id, org_id, type, subject, message, occurred_at)
     SELECT application_id, id, 'org', $4, subject, message, now()
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $5::bytea[]) AS e (application_id, id, subject, message)`,
    [
      events.map(({ applicationId }) => applicationId),
      events.map(({ id }) => id),
      events.map(({ subject }) => subject),
      type,
      events.map(({ body }) => body),
    ],
  );
}

async function count(what: string): Promise<number> {
  const [row] = await database.sql<{ count: number }>(`SELECT count(*)::int FROM ${what}`);
  return row?.count ?? -1;
}

/** Makes all events look as if they were published that many minutes ago. */
const age = (minutes: number) =>
  database.sql(
    `UPDATE catalog.outbox SET published_at = now() - $1 * interval '1 minute';`.replace("$1", `${minutes}`),
  );

const missing = `catalog.outbox o WHERE NOT EXISTS (
  SELECT FROM notifications.inbox i WHERE (i.application_id, i.event_id) = (o.application_id, o.id))`;

test("events of every service arrive, and dead letters are not republished", async () => {
  await publish("catalog", "topic.created", 50);
  await publish("identity", "api_key.created", 50);
  await publish("catalog", "planet.discovered", 2);
  await poll(() => count("notifications.inbox")).toBe(100);
  await poll(() => count("notifications.dead_event")).toBe(2);
  await age(60);
  expect(await reconcile({ bus, relayDatabase, log })).toBe(0);
});

test("lost events are republished if they are neither too young nor too old", async () => {
  await publish("catalog", "topic.created", 6_000);
  await poll(() => count("notifications.inbox")).toBe(6_000);
  await database.sql("DELETE FROM notifications.inbox WHERE event_id IN (SELECT id FROM catalog.outbox LIMIT 100)");
  await age(14);
  expect(await reconcile({ bus, relayDatabase, log })).toBe(0);
  await age(24 * 60 + 1);
  expect(await reconcile({ bus, relayDatabase, log })).toBe(0);
  // Uses a new server without IDs, because JetStream expires IDs by its own clock, which a test cannot change.
  await nats.kill();
  await nats.start({ isStoreKept: false });
  await poll(() => bus.isUp).toBe(true);
  await poll(() => bus.ackedUpTo().catch(() => new Date(0))).toSatisfy((until) => Number(until) > 0);
  await age(20);
  // Dead letters of an application block none of its other events.
  await database.sql(`INSERT INTO notifications.dead_event
    SELECT application_id, gen_random_uuid(), subject, '{}', '', 'unreadable', now() FROM catalog.outbox`);
  expect(await reconcile({ bus, relayDatabase, log })).toBe(100);
  await poll(() => count("notifications.inbox")).toBe(6_000);
  expect(await reconcile({ bus, relayDatabase, log })).toBe(0);
});

test("events waiting in the stream are not republished, unless they have waited for half a day", async () => {
  await consumption.stop();
  await publish("catalog", "topic.created", 20);
  await poll(() => count("catalog.outbox WHERE published_at IS NOT NULL")).toBe(20);
  const hoursAgo = (hours: number) => ({ ackedUpTo: async () => new Date(Date.now() - hours * 3_600_000) });
  await age(119);
  expect(await reconcile({ bus: hoursAgo(2), relayDatabase, log })).toBe(0);
  expect((await bus.ackedUpTo()).getTime()).toBeLessThan(Date.now());
  await age(12 * 60 + 1);
  expect(await reconcile({ bus: hoursAgo(20), relayDatabase, log })).toBe(20);
  consumption = consume();
  await poll(() => count(missing)).toBe(0);
  expect(await bus.ackedUpTo().then((until) => Date.now() - until.getTime())).toBeLessThan(60_000);
});

test("every event is handled once, although the database restarts under load and NATS is killed twice", async () => {
  const published = Promise.all([
    ...Array.from({ length: 10 }, () => publish("catalog", "topic.created", 200)),
    ...Array.from({ length: 5 }, () => publish("identity", "api_key.created", 200)),
  ]);
  for (const share of [200, 1_000]) {
    await poll(async () => (await count("notifications.inbox")) > share).toBe(true);
    await nats.kill();
    await database.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE 'ems\\_%\\_relay'",
    );
    await nats.start();
  }
  await published;
  // The transactions of the lost connections have ended by now.
  await database.sql("UPDATE catalog.outbox SET locked_until = NULL; UPDATE identity.outbox SET locked_until = NULL");
  await poll(() => count("notifications.inbox")).toBe(3_000);
  await poll(() => count("catalog.outbox WHERE published_at IS NULL")).toBe(0);
  expect(await count(missing)).toBe(0);
});
