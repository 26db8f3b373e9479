import {
  fixedClock,
  jsonEvents,
  type TestEvent,
  testDatabase,
  testEvent,
  testEventHandler,
  testTenant,
} from "@ems/test-support";
import { afterAll, beforeEach, expect, inject, test, vi } from "vitest";
import { serviceDataSource } from "../db/data-source.ts";
import { Database } from "../db/database.ts";
import { RelayDatabase } from "../db/relay-database.ts";
import type { Schema } from "../db/schema.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { BusEvent, EventBus } from "./bus.ts";
import { inProcessBus } from "./in-process-bus.ts";
import { outboxQueue } from "./outbox-queue.ts";
import { publisher } from "./publish.ts";
import { claimDue, pruneOutbox, Relay } from "./relay.ts";

/** Stands in for a service: its role and its outbox exist. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const log = createLog("test", "silent");
const server = await testDatabase(inject("postgres"));
const relayDatabase = new RelayDatabase({ schema, url: server.getRelayUrl(schema), poolMax: 6, log });
const relays: Relay[] = [];
afterAll(async () => {
  for (const relay of relays) await relay.stop();
  await relayDatabase.close();
  await server.drop();
});
beforeEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await server.sql("TRUNCATE catalog.outbox");
});

/** Creates a bus that collects events in a list, and can be made to fail. */
function testBus() {
  const state = {
    published: [] as string[],
    events: [] as BusEvent[],
    isUp: true,
    fails: (_event: BusEvent): boolean => false,
    delayMs: 0,
  };
  const bus: EventBus = {
    get isUp() {
      return state.isUp;
    },
    async publish(event) {
      await new Promise((resolve) => setTimeout(resolve, state.delayMs));
      if (state.fails(event)) throw new Error("no way");
      state.published.push(event.id);
      state.events.push(event);
    },
    consume: () => ({ stop: async () => undefined }),
    listen: () => undefined,
    ackedUpTo: async () => new Date(),
    check: async () => undefined,
    close: async () => undefined,
  };
  return { state, bus };
}

function start(bus: EventBus): Relay {
  const relay = new Relay({ schema: schema.name, relayDatabase, bus, log });
  relays.push(relay);
  return relay;
}

async function fill(count: number, columns = "", values = ""): Promise<void> {
  await server.sql(
    `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, message, occurred_at ${columns})
     SELECT gen_random_uuid(), gen_random_uuid(), 'org', 'topic.created', 's', 'told', now() ${values}
     FROM generate_series(1, $1)`,
    [count],
  );
}

async function fillWith(events: readonly TestEvent[]): Promise<void> {
  await server.sql(
    `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, message, occurred_at)
     SELECT told.a, told.i, 'org-1', 'topic.created', told.s, told.m, now()
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) AS told (a, i, s, m)`,
    [
      events.map(({ applicationId }) => applicationId),
      events.map(({ id }) => id),
      events.map(({ subject }) => subject),
      events.map(({ body }) => body),
    ],
  );
}

interface Row {
  id: string;
  isPublished: boolean;
  attempts: number;
  error: string | null;
  pauseMs: number | null;
}

const rows = () =>
  server.sql<Row>(
    `SELECT id, published_at IS NOT NULL AS "isPublished", publish_attempts AS attempts, last_error AS error,
       (extract(epoch FROM locked_until - now()) * 1000)::float AS "pauseMs" FROM catalog.outbox`,
  );

test("events in the outbox are published once and marked", async () => {
  await fill(250);
  const { state, bus } = testBus();
  start(bus);
  await expect.poll(async () => (await rows()).filter(({ isPublished }) => !isPublished)).toEqual([]);
  expect(new Set(state.published).size).toBe(250);
  expect(state.published).toHaveLength(250);
  expect((await rows())[0]).toMatchObject({ attempts: 1, error: null, pauseMs: null });
});

test("rows are published as they were written: in binary, and JSON where an older version wrote it", async () => {
  const [older, newer] = [jsonEvents()[0] as BusEvent, testEvent()];
  await fillWith([newer]);
  // Insert a row as a process of the previous version does during an upgrade.
  await server.sql(
    `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, payload, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [older.applicationId, older.id, older.orgId, older.type, older.subject, older.body.toString()],
  );
  const { state, bus } = testBus();
  start(bus);
  await expect.poll(() => state.events).toHaveLength(2);
  expect(state.events.find(({ id }) => id === older.id)).toMatchObject(older);
  expect(state.events.find(({ id }) => id === newer.id)).toMatchObject({ body: newer.body, isJson: false });
});

test("published events are marked in the transaction of the next claim", async () => {
  const [batch, change] = [vi.spyOn(relayDatabase, "batch"), vi.spyOn(relayDatabase, "change")];
  await fill(250);
  start(testBus().bus);
  await expect.poll(async () => (await rows()).filter(({ isPublished }) => !isPublished)).toEqual([]);
  expect(batch.mock.calls.filter(([statements]) => statements.length === 2)).toHaveLength(3);
  expect(change).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test("only a commit with an event wakes the relay", async () => {
  let woken = 0;
  const source = serviceDataSource({ url: server.getUrl(schema), poolMax: 2, schema, log });
  await source.initialize();
  const database = new Database(source, { onPublished: () => woken++ });
  const publish = publisher("catalog", { clock: fixedClock(), newId });
  const tenant = testTenant();
  const scope = (fails: boolean, says: boolean) =>
    database.withScope(tenant, Date.now() + 5_000, async (tx) => {
      if (says) await publish(tx, tenant, { case: "topicCreated", value: {} });
      else await tx.query("SELECT 1");
      if (fails) throw new Error("no");
    });
  await scope(false, false);
  await scope(true, true).catch(() => undefined);
  expect(woken).toBe(0);
  await scope(false, true);
  expect(woken).toBe(1);
  await source.destroy();
  expect(await rows()).toHaveLength(1);
});

test("an event that cannot be published backs off, does not block others, and is retried without limit", async () => {
  await fill(3);
  const [bad] = await rows();
  const { state, bus } = testBus();
  state.fails = ({ id }) => id === bad?.id;
  start(bus);
  const badRow = async () => (await rows()).find(({ id }) => id === bad?.id);
  await expect.poll(async () => (await badRow())?.attempts).toBe(3);
  expect(state.published).toHaveLength(2);
  expect(await badRow()).toMatchObject({ isPublished: false, error: "no way" });
  // The seventh backoff is 0.2 s doubled six times. Any backoff is at most 30 s; part may have passed already.
  for (const [attempts, leastMs, mostMs] of [
    [6, 6_400, 12_800],
    [1_000, 15_000, 30_000],
  ]) {
    await server.sql("UPDATE catalog.outbox SET publish_attempts = $2, locked_until = now() WHERE id = $1", [
      bad?.id,
      attempts,
    ]);
    await expect.poll(async () => (await badRow())?.attempts).toBe((attempts ?? 0) + 1);
    const pauseMs = (await badRow())?.pauseMs;
    expect(pauseMs).toBeGreaterThan(leastMs ?? 0);
    expect(pauseMs).toBeLessThanOrEqual(mostMs ?? 0);
  }
  state.fails = () => false;
  await server.sql("UPDATE catalog.outbox SET locked_until = now() WHERE id = $1", [bad?.id]);
  await expect.poll(async () => (await badRow())?.isPublished).toBe(true);
});

test("concurrent relays publish each event once", async () => {
  await fill(2_000);
  const { state, bus } = testBus();
  for (let count = 0; count < 3; count++) start(bus);
  await expect.poll(() => new Set(state.published).size).toBe(2_000);
  expect(state.published).toHaveLength(2_000);
});

test("a dead relay's claims are free only after the lease", async () => {
  await fill(5);
  expect(await claimDue(relayDatabase, "catalog")).toHaveLength(5);
  expect(await claimDue(relayDatabase, "catalog")).toEqual([]);
  const [first] = await rows();
  expect(first?.pauseMs).toBeGreaterThan(15_000);
  await server.sql("UPDATE catalog.outbox SET locked_until = now() - interval '1 ms'");
  const { state, bus } = testBus();
  start(bus);
  await expect.poll(() => state.published.length).toBe(5);
});

test("while the bus is down nothing is claimed; publishing resumes by itself", async () => {
  const { state, bus } = testBus();
  state.isUp = false;
  const relay = start(bus);
  await fill(10);
  relay.wake();
  await relay.stop();
  expect((await rows()).filter(({ attempts, pauseMs }) => attempts > 0 || pauseMs !== null)).toEqual([]);
  start(bus);
  state.isUp = true;
  await expect.poll(() => state.published.length).toBe(10);
});

test("a stopped relay drains the outbox and releases its leases", async () => {
  const { state, bus } = testBus();
  state.delayMs = 5;
  const relay = start(bus);
  await fill(450);
  await relay.stop();
  expect(state.published).toHaveLength(450);
  expect((await rows()).filter(({ isPublished }) => !isPublished)).toEqual([]);
});

test("in one process events are delivered by function calls; without a consumer they wait", async () => {
  await fillWith(Array.from({ length: 300 }, () => testEvent()));
  const bus = inProcessBus();
  const consumer = testEventHandler();
  const relay = start(bus);
  await expect(bus.check()).rejects.toThrow("the bus has no consumer");
  const [bad] = await rows();
  consumer.refused.add(bad?.id ?? "");
  const consumption = bus.consume(consumer);
  await expect.poll(() => consumer.handled.length).toBe(299);
  consumer.refused.clear();
  await expect.poll(() => consumer.handled.length).toBe(300);
  // Events were handled in batches, except those in a batch with the bad event.
  expect(consumer.calls).toBeLessThan(150);
  await consumption.stop();
  await relay.stop();
});

test("events published more than 14 days ago are deleted", async () => {
  await fill(3, ", published_at", ", now() - interval '15 days'");
  await fill(2, ", published_at", ", now() - interval '13 days'");
  await fill(1);
  await pruneOutbox(relayDatabase, "catalog");
  expect(await rows()).toHaveLength(3);
});

test("a claim reads only due rows, however many are published or waiting", async () => {
  await fill(20_000, ", published_at", ", now()");
  await fill(20_000, ", locked_until", ", now() + interval '20 s'");
  await fill(50);
  await server.sql("VACUUM ANALYZE catalog.outbox");
  const { text, values = [] } = outboxQueue("catalog").claimStatement({ rowsMax: 100, leaseMs: 30_000 });
  interface Plan {
    readonly "Subplan Name"?: string;
    readonly "Shared Hit Blocks": number;
    readonly "Shared Read Blocks": number;
    readonly Plans?: readonly Plan[];
  }
  const [row] = await server.sql<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ${text}`,
    [...values],
  );
  const picked = row?.["QUERY PLAN"][0]?.Plan.Plans?.find((each) => each["Subplan Name"] === "CTE picked");
  expect(JSON.stringify(picked)).toContain("outbox_due");
  expect((picked?.["Shared Hit Blocks"] ?? 1e9) + (picked?.["Shared Read Blocks"] ?? 0)).toBeLessThan(200);
});
