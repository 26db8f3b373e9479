// One application's slow statements must not take the connections of all others.

import { testDatabase, testTenant } from "@ems/test-support";
import type { DataSource } from "typeorm";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Code } from "../errors.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import type { Tenant } from "../tenant.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database, type Statement } from "./database.ts";
import { databaseError } from "./errors.ts";
import type { Schema } from "./schema.ts";

const log = createLog("test", "silent");
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
const poolMax = 6;
let source: DataSource;
let database: Database;
let ended: AbortController;
beforeEach(async () => {
  source = serviceDataSource({ url: server.getUrl(schema), poolMax, schema, log });
  await source.initialize();
  database = new Database(source, { readMs: 10_000, waitingMax: 5 });
  ended = new AbortController();
});
afterEach(async () => {
  ended.abort(new Error("the test is over"));
  await expect.poll(sleeping).toBe(0);
  await source.destroy();
});
afterAll(() => server.drop());

const createCall = (tenant = testTenant(), timeoutMs = 30_000, signal = ended.signal): Call => ({
  tenant,
  caller: "test",
  requestId: newId(),
  deadlineMs: monotonicMs() + timeoutMs,
  signal,
});
const quick = { name: "quick", text: "SELECT 1 AS one", values: [] };
const slow = { name: "slow", text: "SELECT pg_sleep(30)", values: [] };
const sleeping = async () => {
  const [row] = await server.sql<{ count: number }>(
    "SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'",
  );
  return row?.count;
};
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((thrown) => thrown);
const ofThisApplication = {
  code: Code.ResourceExhausted,
  rawMessage: "Too many requests of this application at once",
};

test("slow reads of one application get half of the connections, a few wait, and other applications are not delayed", async () => {
  const greedy = testTenant();
  const held = Array.from({ length: 3 + 5 }, () => failure(database.read(createCall(greedy), slow)));
  await expect.poll(sleeping).toBe(3);
  expect(database.waiting).toBe(5);
  const refused = await failure(database.read(createCall(greedy), quick));
  expect(refused).toMatchObject(ofThisApplication);
  expect(refused.metadata.get("retry-after")).toBe("1");
  for (let times = 0; times < 40; times += 1) expect(await database.read(createCall(), quick)).toEqual([{ one: 1 }]);
  // The maximum wait, too, rejects a request, long before its deadline.
  for (const result of held.slice(3)) expect(await result).toMatchObject(ofThisApplication);
  expect(await sleeping()).toBe(3);
});

test("an application's expensive work gets a quarter of the connections and does not block its other requests", async () => {
  const greedy = testTenant();
  const readHeavy = (tenant: Tenant, statement: Statement) => {
    const call = createCall(tenant);
    return database.runExpensive(call, () => database.read(call, statement));
  };
  for (let count = 0; count < 3; count += 1) void failure(readHeavy(greedy, slow));
  await expect.poll(sleeping).toBe(Math.floor(poolMax / 4));
  expect(await database.read(createCall(greedy), quick)).toEqual([{ one: 1 }]);
  expect(await readHeavy(testTenant(), quick)).toEqual([{ one: 1 }]);
  expect(await sleeping()).toBe(Math.floor(poolMax / 4));
});

test("when other applications hold all connections, a new application gets UNAVAILABLE", async () => {
  for (let count = 1; count < poolMax; count += 1) {
    void failure(database.read(createCall(), slow));
    await expect.poll(sleeping).toBe(count);
  }
  const refused = await failure(database.read(createCall(), quick));
  expect(refused).toMatchObject({ code: Code.Unavailable, rawMessage: "Too many requests at once" });
  expect(refused.metadata.get("retry-after")).toBe("1");
  // The rejection arrives long before the other applications' reads end: they still run.
  expect(await sleeping()).toBe(poolMax - 1);
});

test("authentication gets a connection even if applications use all of theirs", async () => {
  for (let count = 1; count < poolMax; count += 1) {
    void failure(database.read(createCall(), slow));
    await expect.poll(sleeping).toBe(count);
  }
  const scope = { apiKeyDigest: "ab" };
  expect(await database.readScoped(scope, monotonicMs() + 5_000, quick)).toEqual([{ one: 1 }]);
});

test("calls that need a second connection do not deadlock", async () => {
  const tenant = testTenant();
  const nested = () => {
    const call = createCall(tenant);
    return database.withTenant(call, async (tx) => {
      await tx.query("SELECT 1");
      return database.read(call, quick);
    });
  };
  const all = await Promise.all(Array.from({ length: 6 }, nested));
  expect(all).toEqual(Array.from({ length: 6 }, () => [{ one: 1 }]));
});

test("a cancelled call stops waiting", async () => {
  const tenant = testTenant();
  for (let count = 0; count < 3; count += 1) void failure(database.read(createCall(tenant), slow));
  await expect.poll(sleeping).toBe(3);
  const gone = new AbortController();
  const waiting = failure(database.read(createCall(tenant, 30_000, gone.signal), quick));
  await expect.poll(() => database.waiting).toBe(1);
  gone.abort(new Error("gone"));
  expect(await waiting).toMatchObject({ message: "gone" });
  expect(database.waiting).toBe(0);
});

test("a read ends in PostgreSQL when its caller cancels or the read timeout passes", async () => {
  const gone = new AbortController();
  const left = failure(database.read(createCall(testTenant(), 30_000, gone.signal), slow));
  await expect.poll(sleeping).toBe(1);
  gone.abort(new Error("gone"));
  expect(databaseError(await left)?.code).toBe(Code.DeadlineExceeded);
  expect(await sleeping()).toBe(0);

  const impatient = new Database(source, { readMs: 2_000 });
  // The limit applies to all statements together, not to each of them.
  const two = ["first", "second"].map((name) => ({ ...slow, name, text: "SELECT pg_sleep(1.5)" }));
  expect(databaseError(await failure(impatient.readAll(createCall(), two)))?.code).toBe(Code.DeadlineExceeded);
  expect(await impatient.read(createCall(), quick)).toEqual([{ one: 1 }]);
});

test("a transaction ends at its deadline, both during a statement and between statements", async () => {
  const long = database.withTenant(createCall(testTenant(), 2_000), async (tx) => {
    await tx.query("SELECT pg_sleep(1.5)");
    await tx.query("SELECT pg_sleep(1.5)");
  });
  expect(databaseError(await failure(long))?.code).toBe(Code.DeadlineExceeded);

  const between = database.withTenant(createCall(testTenant(), 300), async (tx) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await tx.query("SELECT pg_sleep(30)");
  });
  expect(databaseError(await failure(between))?.code).toBe(Code.DeadlineExceeded);
  expect(await database.read(createCall(), quick)).toEqual([{ one: 1 }]);
});

test("background work of an application leaves most connections to its requests", async () => {
  const tenant = testTenant();
  const background = createCall({ ...tenant, isBackground: true });
  const held = Array.from({ length: 8 }, () => failure(database.read(background, slow)));
  // Background work gets two of six connections, and one application half of these.
  await expect.poll(sleeping).toBe(1);
  expect(await database.read(createCall(tenant), quick)).toEqual([{ one: 1 }]);
  const requests = Array.from({ length: 2 }, () => failure(database.read(createCall(tenant), slow)));
  await expect.poll(sleeping).toBe(3);
  const other = failure(database.read(createCall({ ...testTenant(), isBackground: true }), slow));
  await expect.poll(sleeping).toBe(4);
  ended.abort(new Error("the test is over"));
  await Promise.all([...held, ...requests, other]);
});
