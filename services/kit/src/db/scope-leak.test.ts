// However a piece of work ends, the next one on the same connection starts without its scope, time limit and locks.

import { testDatabase, testTenant } from "@ems/test-support";
import type { DataSource } from "typeorm";
import { afterAll, expect, inject, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import type { Pooler } from "./pooler.ts";
import type { Schema } from "./schema.ts";
import { tenantPolicy } from "./tenant-policy.ts";
import type { Transaction } from "./transaction.ts";

const log = createLog("test", "silent");
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
await server.sql(`
  CREATE TABLE catalog.note (application_id uuid NOT NULL, id int,
    UNIQUE (application_id, id) DEFERRABLE INITIALLY DEFERRED);
  ${tenantPolicy("catalog.note")}
  GRANT SELECT, INSERT ON catalog.note TO ems_catalog;
`);
const sources: DataSource[] = [];
afterAll(async () => {
  for (const source of sources) await source.destroy();
  await server.drop();
});

/** Opens a database that uses a single connection. */
async function open(pooler: Pooler) {
  const source = serviceDataSource({ url: server.getUrl(schema), pooler, poolMax: 1, schema, log });
  await source.initialize();
  sources.push(source);
  return { source, database: new Database(source) };
}

function createCall(change: Partial<Call> = {}): Call {
  const { signal } = new AbortController();
  return {
    tenant: testTenant(),
    caller: "test",
    requestId: newId(),
    deadlineMs: monotonicMs() + 20_000,
    signal,
    ...change,
  };
}

const bad = { name: "bad", text: "SELECT 1 / $1::int", values: [0] };
const good = { name: "good", text: "SELECT count(*)::int FROM catalog.note", values: [] };
const slow = { name: "slow", text: "SELECT pg_sleep(30)", values: [] };
const terminate = { text: "SELECT pg_terminate_backend(pg_backend_pid())", values: [] };
const lock = { text: "SELECT pg_advisory_xact_lock(42)", values: [] };
const circular: Record<string, unknown> = {};
circular.self = circular;
const unsendable = { text: "SELECT $1", values: [circular] };
const insert = { text: "INSERT INTO catalog.note VALUES (current_setting('ems.application_id')::uuid, 1)", values: [] };
const soon = () => createCall({ deadlineMs: monotonicMs() + 300 });
const gone = () => createCall({ signal: AbortSignal.timeout(600) });
const idempotent = () => {
  const idempotency = {
    key: newId(),
    rpc: "test/Work",
    fingerprint: Buffer.from(""),
    encode: () => Buffer.from(""),
    decode: () => undefined,
    etag: () => undefined,
    markReplayed: () => undefined,
  };
  return createCall({ idempotency });
};

type Work = (database: Database) => Promise<unknown>;
const changes = (call: () => Call, work: (tx: Transaction) => Promise<unknown>): Work => {
  return (database) => database.change(call(), work);
};
const batch = (...statements: { text: string; values: unknown[] }[]) =>
  changes(createCall, async (tx) => {
    for (const statement of [lock, ...statements]) tx.defer(statement);
  });

const ends: Record<string, { readonly work: Work; readonly error?: RegExp }> = {
  "a read": { work: (database) => database.read(createCall(), good) },
  "a read on behalf of a key": {
    work: (database) => database.readScoped({ apiKeyDigest: "ab" }, monotonicMs() + 9_000, good),
  },
  "a read that fails": { work: (database) => database.read(createCall(), bad), error: /division/ },
  "a read that writes": { work: (database) => database.read(createCall(), insert), error: /read-only/ },
  "a read of several": { work: (database) => database.readAll(createCall(), [good, lock]) },
  "a read whose first fails": { work: (database) => database.readAll(createCall(), [bad, lock]), error: /division/ },
  "a read whose last fails": { work: (database) => database.readAll(createCall(), [lock, bad]), error: /division/ },
  "a read that cannot be sent": { work: (database) => database.read(createCall(), unsendable), error: /circular/ },
  "a read that times out": { work: (database) => database.read(soon(), slow), error: /cancel/ },
  "a read whose caller cancels": { work: (database) => database.read(gone(), slow), error: /cancel/ },
  "a read whose connection is lost": {
    work: (database) => database.readAll(createCall(), [lock, terminate]),
    error: /terminat/,
  },
  "a snapshot": { work: (database) => database.snapshot(createCall(), { work_mem: "1MB" }, (read) => read(lock)) },
  "a snapshot that fails": {
    work: (database) => database.snapshot(createCall(), {}, (read) => Promise.all([read(lock), read(bad), read(good)])),
    error: /division/,
  },
  "a change in one batch": { work: batch(insert) },
  "a change whose first statement fails": { work: batch(bad, insert), error: /division/ },
  "a change whose last statement fails": { work: batch(insert, bad), error: /division/ },
  "a change whose commit fails": { work: batch(insert, insert), error: /duplicate key .* the commit/ },
  "a change that cannot be sent": { work: batch(insert, unsendable), error: /circular/ },
  "a change whose connection is lost": { work: batch(insert, terminate), error: /terminat/ },
  "a change in two batches": {
    work: changes(createCall, async (tx) => {
      tx.defer(lock);
      await tx.query(good);
      tx.defer(insert);
    }),
  },
  "a change whose second batch fails": {
    work: changes(createCall, async (tx) => {
      await tx.query(lock);
      tx.defer(insert);
      tx.defer(bad);
    }),
    error: /division/,
  },
  "a change whose second batch cannot be sent": {
    work: changes(createCall, async (tx) => {
      await tx.query(lock);
      tx.defer(unsendable);
    }),
    error: /circular/,
  },
  "a change that continues after a failed statement": {
    work: changes(createCall, async (tx) => {
      await tx.query(bad).catch(() => undefined);
      tx.defer(insert);
    }),
    error: /division/,
  },
  "a change whose handler fails, with a statement on its way": {
    work: changes(createCall, async (tx) => {
      await tx.query(lock);
      void tx.query(insert);
      throw new Error("the handler fails");
    }),
    error: /the handler fails/,
  },
  "a change that times out": {
    work: changes(soon, async (tx) => {
      await tx.query(lock);
      await tx.query(slow);
    }),
    error: /cancel/,
  },
  "a change whose connection is lost in its second batch": {
    work: changes(createCall, async (tx) => {
      await tx.query(lock);
      await tx.query(terminate);
    }),
    error: /terminat/,
  },
  "an idempotent change": { work: changes(idempotent, async (tx) => tx.defer(insert)) },
  "an idempotent change that fails": { work: changes(idempotent, async (tx) => tx.defer(bad)), error: /division/ },
};

const state = `SELECT coalesce(current_setting('ems.application_id', true), '') AS application,
  coalesce(current_setting('ems.org_id', true), '') AS org, coalesce(current_setting('ems.api_key_digest', true), '') AS digest,
  current_setting('statement_timeout') AS timeout, current_setting('transaction_read_only') AS "readOnly",
  current_setting('transaction_isolation') AS isolation, current_setting('work_mem') AS "workMem",
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
  (SELECT count(*)::int FROM catalog.note) AS notes`;

for (const pooler of ["none", "transaction"] as const) {
  test.for(Object.entries(ends))(
    `with pooler "${pooler}", %s leaves no scope for the next one`,
    async ([, { work, error }]) => {
      const { source, database } = await open(pooler);
      const before = await source.query(state);
      const countRows = async () =>
        (await server.sql<{ count: number }>("SELECT count(*)::int FROM catalog.note"))[0]?.count;
      const notes = await countRows();
      if (error === undefined) await work(database);
      else await expect(work(database)).rejects.toThrow(error);
      expect(await source.query(state)).toEqual(before);
      // This call has a new tenant, so it must see no row of the previous work.
      expect(await database.read(createCall(), good)).toEqual([{ count: 0 }]);
      if (error !== undefined) expect(await countRows()).toBe(notes);
    },
  );
}

test("behind a pooler no statement is prepared by name, and each transaction uses UTC", async () => {
  const name = new URL(server.superuserUrl).pathname.slice(1);
  await server.sql(`ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  const [direct, pooled] = [await open("none"), await open("transaction")];
  const zone = { name: "zone", text: "SELECT current_setting('timezone') AS zone", values: [] };
  const prepared = { text: "SELECT name FROM pg_prepared_statements", values: [] };
  for (const { database } of [direct, pooled]) {
    expect(await database.read(createCall(), zone)).toEqual([{ zone: "UTC" }]);
    expect(await database.change(idempotent(), (tx) => tx.query(zone))).toEqual([{ zone: "UTC" }]);
  }
  expect(await direct.database.read(createCall(), prepared)).toContainEqual({ name: "zone" });
  expect(await pooled.database.read(createCall(), prepared)).toEqual([]);
  expect(await pooled.source.query("SHOW timezone")).toEqual([{ TimeZone: "Asia/Tokyo" }]);
});
