// Row counts as a service uses them: updated by triggers under row-level security, read by lists.

import { OrderDirection } from "@ems/proto/type/v1/order";
import { testDatabase, testTenant } from "@ems/test-support";
import { Order } from "@ems/test-support/thing-fixture";
import fc from "fast-check";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { enumValue } from "../enum.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { ownerDataSource, serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import { defineList, listPage } from "./list.ts";
import { type CountedTable, countsSql } from "./list-counts-schema.ts";
import { pageText } from "./list-texts.ts";
import { parsePage } from "./page.ts";
import type { Schema } from "./schema.ts";
import { type Row, table, text, timestamp, uuid } from "./table.ts";

/** Stands in for a service's schema: its role exists; a counted table is created here. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const notes: CountedTable = {
  schema: "catalog",
  table: "note",
  tenant: "application_id",
  times: ["created_at", "timestamp"],
  groups: ["status"],
};
const NoteEntity = table("catalog.note", {
  applicationId: uuid,
  id: uuid,
  status: text,
  createdAt: timestamp,
  timestamp,
});
const list = defineList(NoteEntity, {
  alias: "n",
  orderBy: Order,
  where: {
    status: "n.status = ANY (?)",
    from: 'n."timestamp" >= ?',
    until: 'n."timestamp" < ?',
    id: "n.id = ?",
  },
  counts: { times: { createdAt: "created_at", timestamp: "timestamp" }, groups: ["status"], range: "timestamp" },
});
const server = await testDatabase(inject("postgres"));
const [ours, theirs] = [testTenant(), testTenant()];
const olderRows = 20_000;

let owner: DataSource;
let source: DataSource;
let database: Database;

function createCall(tenant = ours): Call {
  const { signal } = new AbortController();
  return { tenant, caller: "test", requestId: newId(), deadlineMs: monotonicMs() + 20_000, signal };
}

beforeAll(async () => {
  owner = await ownerDataSource(server.ownerUrl, schema).initialize();
  await owner.query(`
    CREATE TABLE catalog.note (application_id uuid, id uuid, status text NOT NULL, created_at timestamptz(3) NOT NULL,
      "timestamp" timestamptz(3) NOT NULL, PRIMARY KEY (application_id, id));
    CREATE INDEX note_created ON catalog.note (application_id, created_at, id);
    CREATE INDEX note_timestamp ON catalog.note (application_id, "timestamp", id);
    ALTER TABLE catalog.note ENABLE ROW LEVEL SECURITY;
    ALTER TABLE catalog.note FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON catalog.note
      USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
    GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.note TO ems_catalog;
    ${countsSql(notes)}
  `);
  // One row in a thousand is LOST. Times range over the past year, and one is in 1969.
  await server.sql(
    `INSERT INTO catalog.note SELECT ($1::uuid[])[1 + n % 2], uuidv7(),
       CASE WHEN n % 1000 < 2 THEN 'LOST' WHEN n % 3 = 0 THEN 'OPEN' ELSE 'DONE' END,
       '2026-01-01T00:00:00Z'::timestamptz - n * interval '26 minutes', '1970-01-01'::timestamptz + (n - 9) * interval '1 minute'
     FROM generate_series(1, $2::int) n`,
    [[ours.applicationId, theirs.applicationId], olderRows],
  );
  source = await serviceDataSource({
    url: server.getUrl(schema),
    poolMax: 8,
    schema,
    log: createLog("test", "silent"),
  }).initialize();
  database = new Database(source, { waitingMax: 1_000 });
  await insert([{ status: "OPEN", at: 0 }]);
  await server.sql("VACUUM ANALYZE catalog.note");
});

afterAll(async () => {
  await source.destroy();
  await owner.destroy();
  await server.drop();
});

interface NewNote {
  readonly status: string;
  readonly at: number;
}

async function insert(rows: readonly NewNote[], fails = false): Promise<void> {
  const work = database.withTenant(createCall(), async (tx) => {
    const created = rows.map(({ status, at }): Row<typeof NoteEntity> => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + at);
      return { applicationId: ours.applicationId, id: newId(), status, createdAt, timestamp: new Date(at) };
    });
    await tx.insert(NoteEntity, created);
    if (fails) throw new Error("rolled back");
  });
  if (fails) await expect(work).rejects.toThrow("rolled back");
  else await work;
}

/** Returns differences between stored and recomputed counts. */
async function faults(): Promise<unknown[]> {
  const stored = `SELECT application_id, ordered_by, bits::int, bucket, status, sum(rows)::int FROM catalog.note_count
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(rows) <> 0`;
  const counted = `SELECT application_id, t.ordered_by, b.bits, floor(extract(epoch FROM t.at) * 1000 / 2 ^ b.bits)::bigint, status, count(*)::int
    FROM catalog.note, LATERAL (VALUES ('created_at', created_at), ('timestamp', "timestamp")) t (ordered_by, at),
      (VALUES (18), (24), (30)) b (bits) GROUP BY 1, 2, 3, 4, 5`;
  return server.sql(`(${stored} EXCEPT ${counted}) UNION ALL (${counted} EXCEPT ${stored})`);
}

test("existing rows are counted once, for each tenant", async () => {
  expect(await faults()).toEqual([]);
  const { pagination } = await listPage(database, createCall(theirs), list, {});
  expect(pagination).toMatchObject({ total: BigInt(olderRows / 2) });
});

test("counts equal the rows after concurrent inserts, updates, deletes and rollbacks", {
  timeout: 60_000,
}, async () => {
  const note = fc.record({
    status: fc.constantFrom("OPEN", "DONE"),
    at: fc.constantFrom(-1, 0, 1, 262_143, 262_144, 86_400_000),
  });
  const change = fc.record({
    kind: fc.constantFrom("insert", "insert", "rollback", "update", "delete"),
    rows: fc.array(note, { maxLength: 20, minLength: 1 }),
  });
  const [changes = []] = fc.sample(fc.array(change, { minLength: 120, maxLength: 120 }), { numRuns: 1, seed: 7 });
  const newestFive = "SELECT id FROM catalog.note ORDER BY id DESC LIMIT 5";
  const retried = async (text: string): Promise<void> => {
    const { applicationId } = ours;
    const run = () => database.withTenant(createCall(), (tx) => tx.query(text, [applicationId]));
    // Retry a deadlock: workers may lock the rows of notes in different orders. Their counts do not cause it.
    await run().catch(run);
  };
  await Promise.all(
    changes.map(({ kind, rows }) => {
      if (kind === "update")
        return retried(`UPDATE catalog.note SET status = 'DONE' WHERE application_id = $1 AND id IN (${newestFive})`);
      if (kind === "delete")
        return retried(`DELETE FROM catalog.note WHERE application_id = $1 AND id IN (${newestFive})`);
      return insert(rows, kind === "rollback");
    }),
  );
  expect(await faults()).toEqual([]);
  const [counted] = await server.sql("SELECT count(*)::int AS rows FROM catalog.note WHERE application_id = $1", [
    ours.applicationId,
  ]);
  const { pagination } = await listPage(database, createCall(), list, {});
  expect(pagination).toMatchObject({ total: BigInt(counted?.rows) });
});

test("writers to the same intervals do not wait for each other", async () => {
  const { applicationId } = ours;
  const text = "INSERT INTO catalog.note VALUES ($1, uuidv7(), 'OPEN', '2026-01-01', '2026-01-01')";
  await database.withTenant(createCall(), async (tx) => {
    await tx.query(text, [applicationId]);
    await database.withTenant(createCall(), async (other) => {
      await other.query("SET LOCAL lock_timeout = '1s'");
      await other.query(text, [applicationId]);
    });
    await tx.query(text, [applicationId]);
  });
  expect(await faults()).toEqual([]);
});

test("pages and totals equal those of plain SQL, in every order, range and group", { timeout: 60_000 }, async () => {
  const day = 86_400_000;
  const bound = fc.option(
    fc.integer({ min: -2, max: 8 }).map((days) => new Date(days * day)),
    { nil: undefined },
  );
  const request = fc.record({
    orderBy: fc.constantFrom("createdAt", "timestamp", "status", "id"),
    orderDir: fc.constantFrom("ASC", "DESC"),
    skip: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 11_000 }), fc.constantFrom(2 ** 53 - 1)),
    limit: fc.constantFrom(1, 7, 25, 100),
    status: fc.constantFrom(undefined, ["OPEN"], ["LOST"], ["OPEN", "DONE"], ["NONE"]),
    from: bound,
    until: bound,
  });
  const columns: Record<string, string> = {
    createdAt: "created_at",
    timestamp: '"timestamp"',
    status: "status",
    id: "id",
  };
  const property = fc.asyncProperty(request, async ({ skip, limit, orderBy, orderDir, ...filters }) => {
    const { rows, pagination } = await listPage(
      database,
      createCall(),
      list,
      { skip: BigInt(skip), limit, orderBy: enumValue(Order, orderBy), orderDir: OrderDirection[orderDir] },
      filters,
    );
    const matching = `FROM catalog.note WHERE application_id = $1 AND ($2::text[] IS NULL OR status = ANY ($2))
      AND ($3::timestamptz IS NULL OR "timestamp" >= $3) AND ($4::timestamptz IS NULL OR "timestamp" < $4)`;
    const values = [ours.applicationId, filters.status ?? null, filters.from ?? null, filters.until ?? null];
    const expected = await server.sql<{ id: string }>(
      `SELECT id ${matching} ORDER BY ${columns[orderBy]} ${orderDir}, id ${orderDir} LIMIT ${limit} OFFSET ${skip}`,
      values,
    );
    const [counted] = await server.sql(`SELECT count(*)::int AS total ${matching}`, values);
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(pagination).toMatchObject({ total: BigInt(counted?.total) });
  });
  await fc.assert(property, { numRuns: 150, seed: 11 });
});

interface Plan {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: Plan[];
}

/** Number of rows of notes and counts that the plan reads. */
function rowsRead(plan: Plan): number {
  const { "Actual Rows": rows, "Actual Loops": loops, "Rows Removed by Filter": removed = 0, Plans = [] } = plan;
  const own = plan["Relation Name"] === undefined ? 0 : (rows + removed) * loops;
  return own + Plans.reduce((sum, child) => sum + rowsRead(child), 0);
}

test.each([
  ["the first page", {}, {}, 800],
  ["a page in the middle", { skip: 5_000 }, {}, 800],
  ["the last page", { skip: 9_990, orderDir: OrderDirection.ASC }, {}, 800],
  ["a page past the end", { skip: 1_000_000 }, {}, 500],
  [
    "a range of times",
    { skip: 3_000, orderBy: enumValue(Order, "timestamp") },
    { from: new Date(86_400_123), until: new Date(604_800_123) },
    1_200,
  ],
  ["a group without rows", {}, { status: ["NONE"] }, 10],
])("%s reads a bounded number of rows", async (_, { skip = 0, ...request }: { skip?: number }, filters, rowsMax) => {
  const { text, values } = pageText(list, parsePage({ ...request, skip: BigInt(skip) }, list.orders), {
    tenant: ours.applicationId,
    filters,
  });
  const [row] = await database.read(createCall(), { text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
  expect(rowsRead(row?.["QUERY PLAN"][0].Plan)).toBeLessThan(rowsMax);
});

test("no plan is JIT-compiled, whatever its estimate", async () => {
  const text = "SELECT setting, source FROM pg_settings WHERE name = 'jit'";
  expect(await database.read(createCall(), { text, values: [] })).toEqual([{ setting: "off", source: "client" }]);
});

test("another tenant's counts are invisible, and dropping counts removes everything", async () => {
  const visible = "SELECT DISTINCT application_id AS id FROM catalog.note_count";
  expect(await database.read(createCall(), { text: visible, values: [] })).toEqual([{ id: ours.applicationId }]);
  expect(await database.read(createCall(testTenant()), { text: visible, values: [] })).toEqual([]);
});
