// A service behind PgBouncer in transaction mode, with DATABASE_POOLER=transaction.

import { poolerChecks } from "@ems/cli/doctor/pooler";
import { monotonicMs } from "@ems/kit/clock";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { databaseError } from "@ems/kit/db/errors";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import type { Call } from "@ems/kit/rpc/call";
import { type TestDatabase, type TestPostgres, testDatabase, testTenant } from "@ems/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PgBouncer, startPgBouncer } from "../harness/pgbouncer.ts";
import startPostgres from "../harness/postgres.ts";

const schema = { name: "catalog", entities: [], migrations: [] };
let stopPostgres: () => Promise<void>;
let server: TestDatabase;
let bouncer: PgBouncer;
beforeAll(async () => {
  const provided = Promise.withResolvers<TestPostgres>();
  stopPostgres = await startPostgres({ provide: (_, value) => provided.resolve(value as TestPostgres) });
  server = await testDatabase(await provided.promise);
  bouncer = await startPgBouncer([server.getUrl(schema)]);
});
afterAll(async () => {
  await bouncer.stop();
  await server.drop();
  await stopPostgres();
});

/** Opens a process of the service; all of them share the pooler's only backend. */
async function openProcess() {
  const log = createLog("test", "silent");
  const source = serviceDataSource({
    url: bouncer.getUrl(server.getUrl(schema)),
    pooler: "transaction",
    poolMax: 2,
    schema,
    log,
  });
  await source.initialize();
  return { database: new Database(source), close: () => source.destroy() };
}

function buildCall(change: Partial<Call> = {}): Call {
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

const seen = {
  name: "seen",
  text: `SELECT pg_backend_pid() AS pid, current_setting('ems.application_id') AS application,
    current_setting('timezone') AS zone, (SELECT count(*)::int FROM pg_prepared_statements WHERE name <> '') AS prepared`,
  values: [],
};

test("processes that share a backend see their own scope each, and no prepared statement", async () => {
  const processes = [await openProcess(), await openProcess()];
  const pids = new Set<number>();
  for (let times = 0; times < 3; times += 1) {
    for (const { database } of processes) {
      const call = buildCall();
      const own = { application: call.tenant.applicationId, zone: "UTC", prepared: 0 };
      const [single] = await database.read<{ pid: number }>(call, seen);
      const [first, second] = await database.readAll(call, [seen, seen]);
      const changed = await database.change(call, async (tx) => [await tx.query(seen), await tx.query(seen)]);
      const last = await database.change(call, (tx) => tx.commit(tx.query(seen)));
      for (const row of [single, first?.[0], second?.[0], changed[0]?.[0], changed[1]?.[0], last[0]]) {
        expect(row).toMatchObject(own);
      }
      if (single !== undefined) pids.add(single.pid);
      await expect(database.read(call, { name: "bad", text: "SELECT 1 / $1::int", values: [0] })).rejects.toThrow(
        /division/,
      );
    }
  }
  expect(pids.size).toBe(1);
  for (const { close } of processes) await close();
});

test("a statement past its deadline is cancelled behind the pooler, and no other", async () => {
  const [slow, other] = [await openProcess(), await openProcess()];
  const sleep = { text: "SELECT pg_sleep(30)", values: [] };
  const error = await slow.database
    .read(buildCall({ deadlineMs: monotonicMs() + 300 }), sleep)
    .catch((thrown) => thrown);
  expect(databaseError(error)?.code).toBe(Code.DeadlineExceeded);
  const gone = buildCall({ signal: AbortSignal.timeout(600) });
  const left = await slow.database.read(gone, sleep).catch((thrown) => thrown);
  expect(databaseError(left)?.code).toBe(Code.DeadlineExceeded);
  const call = buildCall();
  expect(await other.database.read(call, seen)).toMatchObject([{ application: call.tenant.applicationId }]);
  await slow.close();
  await other.close();
});

test("doctor reads the pooler's version from its admin console", async () => {
  const console = new URL(bouncer.getUrl(server.getUrl(schema)));
  console.pathname = "/pgbouncer";
  const [check] = poolerChecks(console.href);
  expect(await check?.run()).toMatchObject({ detail: expect.stringMatching(/^PgBouncer 1\.\d+/) });
});
