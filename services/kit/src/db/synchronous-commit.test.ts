// Commits with synchronous replication, which PostgreSQL confirms only after a standby: a cancellation would end that
// wait, and PostgreSQL would report the commit as a success.

import { rm } from "node:fs/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import type pg from "pg";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { createLog } from "../log.ts";
import { withClient } from "./client.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";

let dataDir: string;
let server: EmbeddedPostgres;
let source: DataSource;
let database: Database;
beforeAll(async () => {
  dataDir = await temporaryDir("ems-test-synchronous-");
  server = await startEmbeddedPostgres({ dataDir, settings: { max_wal_senders: "4" } });
  await sql("CREATE TABLE thing (id int)");
  const schema = { name: "catalog", entities: [], migrations: [] };
  source = serviceDataSource({ url: server.url, poolMax: 2, schema, log: createLog("test", "silent") });
  await source.initialize();
  database = new Database(source);
});
afterAll(async () => {
  await source.destroy();
  await server.stop();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  await sql("TRUNCATE thing");
});

/** Runs a statement as an administrator. Its commit does not wait for a standby. */
async function sql<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const url = new URL(server.url);
  url.searchParams.set("options", "-c synchronous_commit=local");
  return withClient(url.href, async (client) => (await client.query<Row>(text)).rows);
}

/** Sets the standby whose confirmation commits wait for: one that does not exist, or none. */
async function waitFor(standby: "absent" | ""): Promise<void> {
  await sql(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await sql("SELECT pg_reload_conf()");
  await expect.poll(() => sql("SHOW synchronous_standby_names")).toEqual([{ synchronous_standby_names: standby }]);
}

const waiting = () => sql<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
const things = () => sql("SELECT id FROM thing");
const deadlineMs = 600;

test.each([
  ["one batch", 1],
  ["several batches", 2],
])("a commit of %s that no standby has confirmed by its deadline is not a success", async (_, batches) => {
  await waitFor("absent");
  const endMs = monotonicMs() + deadlineMs;
  let outcome: unknown = "waits";
  const change = database
    .withScope({}, endMs, async (tx) => {
      for (let id = 1; id < batches; id++) await tx.query("INSERT INTO thing VALUES (1)");
      tx.defer("INSERT INTO thing VALUES (2)");
    })
    .then(
      () => "committed",
      (error: unknown) => error,
    )
    .then((ended) => {
      outcome = ended;
    });
  await expect.poll(waiting).toHaveLength(1);
  // Wait until after the deadline and the cancellations that follow it.
  await expect.poll(() => monotonicMs()).toBeGreaterThan(endMs + 1_500);
  expect([outcome, await waiting(), await things()]).toEqual(["waits", [expect.anything()], []]);
  await waitFor("");
  await change;
  expect(outcome).toBe("committed");
  expect(await things()).toHaveLength(batches);
});

test("a statement is still cancelled at the deadline, without effects", async () => {
  const change = database.withScope({}, monotonicMs() + deadlineMs, async (tx) => {
    await tx.query("INSERT INTO thing VALUES (1)");
    await tx.query("SELECT pg_sleep(60)");
  });
  await expect(change).rejects.toThrow(/statement timeout|user request/);
  expect(await things()).toEqual([]);
});

test("a connection that ignores cancellation is closed, and its slot is reused", async () => {
  const held = database.withScope({}, monotonicMs() + deadlineMs, async (tx) => {
    const [backend] = await tx.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    // Simulates a lost machine: no one reports the end of the connection.
    process.kill(backend?.pid ?? 0, "SIGSTOP");
    stopped.push(backend?.pid ?? 0);
    await tx.query("INSERT INTO thing VALUES (1)");
  });
  const stopped: number[] = [];
  try {
    await expect(held).rejects.toThrow(/Connection terminated/);
  } finally {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  }
  await database.withScope({}, monotonicMs() + 10_000, (tx) => tx.query("INSERT INTO thing VALUES (2)"));
  await expect.poll(things).toEqual([{ id: 2 }]);
});
