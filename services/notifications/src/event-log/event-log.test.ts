// The event log as its readers see it: a service on its own database, and consumers that write as several processes do.

import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import { readEvent } from "@ems/kit/events/content";
import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import type { Tenant } from "@ems/kit/tenant";
import { EventLogService } from "@ems/proto/notifications/v1/event_log_service";
import { WatchStart } from "@ems/proto/notifications/v1/event_service";
import { testCall, testEvent, testTenant } from "@ems/test-support";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { notificationsHarness } from "../../test/harness.ts";
import { type HandleEvents, inbox } from "../events/inbox.ts";
import { notificationsSchema } from "../schema.ts";
import { eventLogHandler } from "./record-events.ts";

const log = createLog("test", "silent");
const bus = inProcessBus();
const { client, clock, database, service } = await notificationsHarness({}, { bus });
// Moves the test's clock to the machine's time, because events are recorded by the database's clock.
clock.advance(Date.now() - clock.now().getTime());
const eventLog = client(EventLogService);
const url = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 4, log });
afterAll(() => relayDatabase.close());
vi.setConfig({ testTimeout: 60_000 });

/** A consumer as in another process: its commits do not wake the readers here. */
const elsewhere = (...handlers: HandleEvents[]) =>
  inbox({ relayDatabase, clock, newId, log, handlers: [...handlers, eventLogHandler], onHandled: () => undefined });
const record = (events: readonly ReceivedEvent[]) => elsewhere().handle(events);

const createEvents = ({ applicationId }: Tenant, count: number, type = "topic.created") =>
  Array.from({ length: count }, () => testEvent({ applicationId, type }));
const limits = { limit: 100, bytes: 1_000_000 };
const readId = ({ message }: { message: Uint8Array }): string => readEvent(message).id;

/** Reads all events that follow `after`, page by page. */
async function readAll(tenant: Tenant, after = 0n, more: { limit?: number; bytes?: number; types?: string[] } = {}) {
  const found: { position: bigint; id: string }[] = [];
  for (let position = after; ; ) {
    const page = await eventLog.readEvents({ after: position, ...limits, ...more }, testCall(tenant));
    found.push(...page.events.map((event) => ({ position: event.position, id: readId(event) })));
    if (page.position === position) return { found, position };
    position = page.position;
  }
}

test("a batch of many applications has positions from 1 in each, in the batch's order of IDs", async () => {
  const tenants = [testTenant(), testTenant(), testTenant()];
  const events = tenants.flatMap((tenant) => createEvents(tenant, 3));
  await record(events.toReversed());
  for (const [index, tenant] of tenants.entries()) {
    const ids = events.slice(index * 3, index * 3 + 3).map(({ id }) => id);
    expect(await readAll(tenant)).toEqual({
      found: ids.map((id, at) => ({ position: BigInt(at + 1), id })),
      position: 3n,
    });
  }
});

test("a redelivered or internal event has no position", async () => {
  const tenant = testTenant();
  const [first, second] = [testEvent(tenant), testEvent(tenant)];
  await record([first]);
  await record([first, testEvent({ applicationId: tenant.applicationId, type: "people.assigned" }), second]);
  expect((await readAll(tenant)).found.map(({ id }) => id)).toEqual([first.id, second.id]);
});

test("readers see each committed event once and in order, whatever batches conflict or fail", async () => {
  const batches = fc.array(
    fc.record({
      // Numbers of events for three applications, and whether the process dies before the commit.
      counts: fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 3 }),
      isLost: fc.boolean(),
      order: fc.boolean(),
    }),
    { minLength: 2, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const tenants = [testTenant(), testTenant(), testTenant()];
      const committed = new Set<string>();
      const dies: HandleEvents = async () => {
        throw new Error("the process dies");
      };
      const flush: HandleEvents = async (tx) => void (await tx.query("SELECT 1"));
      const writing = Promise.all(
        plan.map(async ({ counts, isLost, order }) => {
          const events = tenants.flatMap((tenant, index) => createEvents(tenant, counts[index] ?? 0));
          const handlers = isLost ? [eventLogHandler, flush, dies] : [];
          const batch = order ? events : events.toReversed();
          await elsewhere(...handlers)
            .handle(batch)
            .then(
              () => {
                for (const { id } of events) committed.add(id);
              },
              () => undefined,
            );
        }),
      );
      const state = { isWriting: true };
      const watching = tenants.map(async (tenant) => {
        const seen: string[] = [];
        let position = 0n;
        for (;;) {
          const isLast = !state.isWriting;
          const { found, position: next } = await readAll(tenant, position, { limit: 3 });
          expect(found.map((event) => event.position)).toEqual(found.map((_, index) => position + BigInt(index + 1)));
          position += BigInt(found.length);
          expect(next).toBe(position);
          seen.push(...found.map(({ id }) => id));
          if (isLast) return seen;
        }
      });
      await writing;
      state.isWriting = false;
      const seen = (await Promise.all(watching)).flat();
      expect(seen).toHaveLength(committed.size);
      expect(new Set(seen)).toEqual(committed);
    }),
    { numRuns: 15 },
  );
});

test("a page ends at its maximum of events or bytes, but has at least one event", async () => {
  const tenant = testTenant();
  const events = createEvents(tenant, 5);
  await record(events);
  const first = events[0]?.message.length ?? 0;
  const read = async (more: object) =>
    (await eventLog.readEvents({ after: 0n, ...limits, ...more }, testCall(tenant))).events.length;
  expect([
    await read({ limit: 2 }),
    await read({ bytes: first }),
    await read({ bytes: first + 1 }),
    await read({}),
  ]).toEqual([2, 1, 2, 5]);
});

test("a filter skips events of other types, and reports the position read to", async () => {
  const tenant = testTenant();
  const rare = createEvents(tenant, 1, "topic.archived");
  for (let batch = 0; batch < 13; batch++) await record(createEvents(tenant, 100));
  await record(rare);
  const request = { after: 0n, ...limits, types: ["topic.archived"] };
  expect(await eventLog.readEvents(request, testCall(tenant))).toMatchObject({ events: [], position: 1_000n });
  const { found, position } = await readAll(tenant, 1_000n, { types: ["topic.archived"] });
  expect([found, position]).toEqual([[{ position: 1_301n, id: rare[0]?.id }], 1_301n]);
});

test("unknown or internal types are rejected by name", async () => {
  const types = ["topic.created", "topic.eaten", "people.assigned"];
  await expect(eventLog.readEvents({ ...limits, types }, testCall(testTenant()))).rejects.toThrow(
    "[invalid_argument] Invalid request data",
  );
});

test("a reader waits until the commit of its own process's event, or until it notices another process's", async () => {
  const [tenant, idle] = [testTenant(), testTenant()];
  const waiting = eventLog.readEvents({ after: 0n, ...limits, waitMs: 20_000 }, testCall(tenant, 30_000));
  const idling = eventLog.readEvents({ after: 0n, ...limits, waitMs: 600 }, testCall(idle));
  const event = testEvent(tenant);
  await record([event]);
  expect((await waiting).events.map(readId)).toEqual([event.id]);
  const startedMs = performance.now();
  const next = eventLog.readEvents({ after: 1n, ...limits, waitMs: 20_000 }, testCall(tenant, 30_000));
  const another = testEvent(tenant);
  await bus.publish(another);
  expect((await next).events.map(readId)).toEqual([another.id]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(await idling).toMatchObject({ events: [], position: 0n });
});

test("hundreds of readers waiting at one position all get a response", async () => {
  const tenant = testTenant();
  const readers = Array.from({ length: 300 }, () =>
    eventLog.readEvents({ after: 0n, ...limits, waitMs: 20_000 }, testCall(tenant, 30_000)),
  );
  await bus.publish(testEvent(tenant));
  for (const page of await Promise.all(readers)) expect(page.events.length).toBeGreaterThan(0);
});

test("a reader starts with the next event, or with the earliest one that is kept", async () => {
  const tenant = testTenant();
  const start = async (where: WatchStart) =>
    (await eventLog.readEvents({ start: where, ...limits }, testCall(tenant))).position;
  expect([await start(WatchStart.NOW), await start(WatchStart.EARLIEST)]).toEqual([0n, 0n]);
  const events = createEvents(tenant, 3);
  await record(events);
  expect([await start(WatchStart.UNSPECIFIED), await start(WatchStart.NOW)]).toEqual([3n, 3n]);
  const earliest = await eventLog.readEvents({ start: WatchStart.EARLIEST, ...limits }, testCall(tenant));
  expect(earliest.events.map(readId)).toEqual(events.map(({ id }) => id));
});

test("a reader outside the kept range gets an error, and no reader skips a gap", async () => {
  const tenant = testTenant();
  await record(createEvents(tenant, 6));
  const deleted = (where: string) =>
    database.sql(`DELETE FROM notifications.event_log WHERE application_id = $1 AND ${where}`, [tenant.applicationId]);
  const read = (after: bigint) => eventLog.readEvents({ after, ...limits }, testCall(tenant));
  await deleted("position <= 2");
  for (const after of [0n, 1n, 7n]) await expect(read(after)).rejects.toThrow("[out_of_range]");
  expect((await read(2n)).events.map(({ position }) => position)).toEqual([3n, 4n, 5n, 6n]);
  const earliest = await eventLog.readEvents({ start: WatchStart.EARLIEST, ...limits }, testCall(tenant));
  expect(earliest.events[0]?.position).toBe(3n);
  await deleted("position = 5");
  expect((await read(2n)).position).toBe(4n);
  await expect(read(4n)).rejects.toThrow("[out_of_range]");
});

test("events of earlier days are read like those of today", async () => {
  const tenant = testTenant();
  await record(createEvents(tenant, 3));
  await database.sql(
    `UPDATE notifications.event_log SET slot = notifications.event_slot(now() - interval '5 days')
     WHERE application_id = $1 AND position <= 2`,
    [tenant.applicationId],
  );
  expect((await readAll(tenant)).found.map(({ position }) => position)).toEqual([1n, 2n, 3n]);
});

test("a purge deletes only the day before the last two weeks", async () => {
  const tenant = testTenant();
  await record(createEvents(tenant, 2));
  await database.sql(
    `INSERT INTO notifications.event_log
     SELECT $1, -day, notifications.event_slot(now() - day * interval '1 day'), 'topic.created', now() - day * interval '1 day', 'x'
     FROM generate_series(1, 15) AS day`,
    [tenant.applicationId],
  );
  await database.sql("SELECT notifications.forget_events()");
  const rows = await database.sql<{ position: string }>(
    "SELECT position FROM notifications.event_log WHERE application_id = $1 ORDER BY position",
    [tenant.applicationId],
  );
  const days = Array.from({ length: 14 }, (_, index) => String(index - 14));
  expect(rows.map(({ position }) => position)).toEqual([...days, "1", "2"]);
});

test("another application's events are not read", async () => {
  const [ours, theirs] = [testTenant(), testTenant()];
  await record([...createEvents(ours, 1), ...createEvents(theirs, 4)]);
  expect((await readAll(ours)).found).toHaveLength(1);
});

test("waiting readers get a response when the process is about to stop", async () => {
  const tenant = testTenant();
  const waiting = eventLog.readEvents({ after: 0n, ...limits, waitMs: 20_000 }, testCall(tenant, 30_000));
  const startedMs = performance.now();
  service.drain?.();
  expect((await waiting).events).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});
