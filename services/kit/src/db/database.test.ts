import { testDatabase, testTenant } from "@ems/test-support";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Code } from "../errors.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import { databaseError } from "./errors.ts";
import type { Schema } from "./schema.ts";
import { assertUnprivilegedRole } from "./startup-checks.ts";

const log = createLog("test", "silent");
/** Stands in for a service's schema: its role exists; its tables are created here. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
const sources: DataSource[] = [];

async function open(poolMax = 4, url = server.getUrl(schema)): Promise<DataSource> {
  const source = serviceDataSource({ url, poolMax, schema, log });
  await source.initialize();
  sources.push(source);
  return source;
}

const createCall = (tenant = testTenant(), timeoutMs = 5_000): Call => ({
  tenant,
  caller: "test",
  requestId: newId(),
  deadlineMs: monotonicMs() + timeoutMs,
  signal: new AbortController().signal,
});
const notes = { name: "notes", text: "SELECT text FROM catalog.note ORDER BY text", values: [] };
const write = (database: Database, call: Call, text: string, applicationId = call.tenant.applicationId) =>
  database.withTenant(call, (tx) => tx.query("INSERT INTO catalog.note VALUES ($1, $2)", [applicationId, text]));

let database: Database;
beforeAll(async () => {
  await server.sql(`
    CREATE TABLE catalog.note (application_id uuid NOT NULL, text text NOT NULL);
    ALTER TABLE catalog.note ENABLE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON catalog.note
      USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
    GRANT SELECT, INSERT ON catalog.note TO ems_catalog;
    GRANT ems_catalog TO CURRENT_USER;
  `);
  database = new Database(await open());
});
afterAll(async () => {
  for (const source of sources) await source.destroy();
  await server.drop();
});

test("a tenant reads and writes its own rows only", async () => {
  const [ours, theirs] = [createCall(), createCall()];
  await write(database, ours, "ours");
  await write(database, theirs, "theirs");
  expect(await database.read(ours, notes)).toEqual([{ text: "ours" }]);
  await expect(write(database, ours, "forged", theirs.tenant.applicationId)).rejects.toThrow(/row-level security/);
  expect(await database.read(theirs, notes)).toEqual([{ text: "theirs" }]);
});

test("the connection keeps no scope of the previous call's tenant", async () => {
  const rows = new Database(await open(1));
  const call = createCall();
  await write(rows, call, "mine");
  expect(await rows.read(call, notes)).toHaveLength(1);
  expect(await rows.readScoped({}, monotonicMs() + 5_000, notes)).toEqual([]);
  expect(await rows.read(createCall(), notes)).toEqual([]);
});

test("a failed transaction leaves no changes, and its connection stays usable", async () => {
  const rows = new Database(await open(1));
  const call = createCall();
  const failing = rows.withTenant(call, async (tx) => {
    await tx.query("INSERT INTO catalog.note VALUES ($1, 'half')", [call.tenant.applicationId]);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await expect(rows.read(call, { name: "bad", text: "SELECT 1 / $1::int", values: [0] })).rejects.toThrow(/division/);
  expect(await rows.read(call, notes)).toEqual([]);
});

test("a statement does not outlive its call", async () => {
  const slow = { name: "slow", text: "SELECT pg_sleep(30)", values: [] };
  const error = await database.read(createCall(testTenant(), 100), slow).catch((thrown) => thrown);
  expect(databaseError(error)?.code).toBe(Code.DeadlineExceeded);
  const inTransaction = database.withTenant(createCall(testTenant(), 100), (tx) => tx.query("SELECT pg_sleep(30)"));
  expect(databaseError(await inTransaction.catch((thrown) => thrown))?.code).toBe(Code.DeadlineExceeded);
});

test("an exhausted pool causes UNAVAILABLE long before the deadline", async () => {
  const rows = new Database(await open(1));
  const finish = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const held = rows.withTenant(createCall(), () => {
    started.resolve();
    return finish.promise;
  });
  await started.promise;
  const [startedMs, deadlineMs] = [monotonicMs(), 15_000];
  const error = await rows.read(createCall(testTenant(), deadlineMs), notes).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: Code.Unavailable });
  expect(monotonicMs() - startedMs).toBeLessThan(deadlineMs);
  finish.resolve();
  await held;
});

test("a connection lost in a transaction causes UNAVAILABLE, and the next call gets another connection", async () => {
  const rows = new Database(await open(1));
  const interrupted = rows.withTenant(createCall(), async (tx) => {
    const [backend] = await tx.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await server.sql("SELECT pg_terminate_backend($1)", [backend?.pid]);
    await tx.query("SELECT 1");
  });
  expect(databaseError(await interrupted.catch((thrown) => thrown))?.code).toBe(Code.Unavailable);
  expect(await rows.read(createCall(), notes)).toEqual([]);
});

test("a superuser, an owner and a role with BYPASSRLS are refused; the runtime role is accepted", async () => {
  await expect(assertUnprivilegedRole(await open(), schema)).resolves.toBeUndefined();
  await expect(assertUnprivilegedRole(await open(1, server.superuserUrl), schema)).rejects.toThrow(/is a superuser/);
  await expect(assertUnprivilegedRole(await open(1, server.ownerUrl), schema)).rejects.toThrow(/owns its tables/);
  await server.sql("CREATE ROLE ems_bypass LOGIN BYPASSRLS PASSWORD 'only-in-this-test'");
  const url = new URL(server.superuserUrl);
  url.username = "ems_bypass";
  url.password = "only-in-this-test";
  await expect(assertUnprivilegedRole(await open(1, url.href), schema)).rejects.toThrow(/has BYPASSRLS/);
  await sources.pop()?.destroy();
  await server.sql(`DROP OWNED BY ems_bypass; DROP ROLE ems_bypass`);
});
