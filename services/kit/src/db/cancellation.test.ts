import { testDatabase, testTenant } from "@ems/test-support";
import { afterAll, expect, inject, test, vi } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Code } from "../errors.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import { databaseError } from "./errors.ts";

const schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
await server.sql("CREATE TABLE catalog.note (text text NOT NULL); GRANT SELECT, INSERT ON catalog.note TO ems_catalog");
const source = serviceDataSource({ url: server.getUrl(schema), poolMax: 1, schema, log: createLog("test", "silent") });
await source.initialize();
const database = new Database(source);
afterAll(async () => {
  await source.destroy();
  await server.drop();
});

const createCall = (timeoutMs = 5_000, signal = new AbortController().signal): Call => ({
  tenant: testTenant(),
  caller: "test",
  requestId: newId(),
  signal,
  deadlineMs: monotonicMs() + timeoutMs,
});
const pid = { name: "pid", text: "SELECT pg_backend_pid() AS pid", values: [] };
const pidNow = async () => (await database.read<{ pid: number }>(createCall(), pid))[0]?.pid;
const notes = async () => (await server.sql<{ text: string }>("SELECT text FROM catalog.note")).map(({ text }) => text);
const isPast = (ms: number) => vi.waitFor(() => expect(monotonicMs()).toBeGreaterThan(ms));
const catchError = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => databaseError(error)?.code ?? (error as { code?: unknown }).code,
  );

test("a cancelled transaction does not commit, even if no statement was running at that time", async () => {
  const call = createCall(100);
  const late = database.withTenant(call, async (tx) => {
    await tx.query("INSERT INTO catalog.note VALUES ('late')");
    await isPast(call.deadlineMs + 50);
  });
  expect(await catchError(late)).toBe(Code.DeadlineExceeded);
  const deferred = createCall(100);
  const lateToo = database.withTenant(deferred, async (tx) => {
    tx.defer("INSERT INTO catalog.note VALUES ('late too')");
    await isPast(deferred.deadlineMs + 50);
  });
  expect(await catchError(lateToo)).toBe(Code.DeadlineExceeded);
  await database.withTenant(createCall(), (tx) => tx.query("INSERT INTO catalog.note VALUES ('in time')"));
  expect(await notes()).toEqual(["in time"]);
});

test("a connection is not reused after a cancellation was sent", async () => {
  const before = await pidNow();
  expect(await pidNow()).toBe(before);
  // Abort instead of a deadline: at a deadline the statement timeout may come first, without a cancellation.
  const abort = new AbortController();
  const slow = { name: "slow", text: "SELECT pg_sleep(30)", values: [] };
  const read = catchError(database.read(createCall(20_000, abort.signal), slow));
  abort.abort();
  expect(await read).toBeDefined();
  const afterRead = await pidNow();
  expect(afterRead).not.toBe(before);
  // The cancellation may arrive late, but must not end a statement of this transaction.
  const call = createCall(100);
  await catchError(
    database.withTenant(call, async (tx) => {
      await tx.query("SELECT 1");
      await isPast(call.deadlineMs + 50);
    }),
  );
  const afterTransaction = await pidNow();
  expect(afterTransaction).not.toBe(afterRead);
  expect(await pidNow()).toBe(afterTransaction);
});

test("a read ends when its caller cancels, long before its deadline", async () => {
  const abort = new AbortController();
  const [startMs, running] = [
    monotonicMs(),
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid() AND state = 'active'",
  ];
  const read = catchError(
    database.read(createCall(20_000, abort.signal), { name: "long", text: "SELECT pg_sleep(20)", values: [] }),
  );
  await expect.poll(async () => (await server.sql<{ count: number }>(running))[0]?.count).toBe(1);
  abort.abort();
  await read;
  expect(monotonicMs() - startMs).toBeLessThan(10_000);
  expect((await server.sql<{ count: number }>(running))[0]?.count).toBe(0);
});
