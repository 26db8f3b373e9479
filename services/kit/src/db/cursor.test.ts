// Lists read by cursor while rows are inserted and deleted.

import { OrderDirection } from "@ems/proto/type/v1/order";
import { testDatabase, testTenant } from "@ems/test-support";
import { Order } from "@ems/test-support/thing-fixture";
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
import { countsSql } from "./list-counts-schema.ts";
import type { PageRequest } from "./page.ts";
import type { Schema } from "./schema.ts";
import { nullable, table, text, timestamp, uuid } from "./table.ts";

const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const MemoEntity = table("catalog.memo", {
  applicationId: uuid,
  id: uuid,
  title: nullable(text),
  status: text,
  createdAt: timestamp,
  timestamp,
});
const options = {
  alias: "m",
  orderBy: Order,
  where: { status: "m.status = ANY (?)" },
  search: "catalog.find_memo",
  orders: { status: "(SELECT m.status)" },
  unstable: ["status"],
};
const counted = defineList(MemoEntity, {
  ...options,
  counts: { times: { createdAt: "created_at" }, groups: ["status"] },
});
const filled = defineList(MemoEntity, { ...options, name: "filled", fits: "true" });
const tooLarge = defineList(MemoEntity, { ...options, name: "large", fits: "false" });
const server = await testDatabase(inject("postgres"));
const tenant = testTenant();
let owner: DataSource;
let source: DataSource;
let database: Database;

function createCall(as = tenant): Call {
  const { signal } = new AbortController();
  return { tenant: as, caller: "test", requestId: newId(), deadlineMs: monotonicMs() + 20_000, signal };
}

beforeAll(async () => {
  owner = await ownerDataSource(server.ownerUrl, schema).initialize();
  await owner.query(`
    CREATE TABLE catalog.memo (application_id uuid, id uuid, title text, status text NOT NULL,
      created_at timestamptz NOT NULL, "timestamp" timestamptz NOT NULL, PRIMARY KEY (application_id, id));
    CREATE INDEX memo_created ON catalog.memo (application_id, created_at, id);
    GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.memo TO ems_catalog;
    CREATE FUNCTION catalog.find_memo(text) RETURNS SETOF uuid LANGUAGE sql AS 'SELECT id FROM catalog.memo';
    ${countsSql({ schema: "catalog", table: "memo", tenant: "application_id", times: ["created_at"], groups: ["status"] })}
  `);
  source = await serviceDataSource({
    url: server.getUrl(schema),
    poolMax: 4,
    schema,
    log: createLog("test", "silent"),
  }).initialize();
  database = new Database(source, { waitingMax: 1_000 });
});

afterAll(async () => {
  await source.destroy();
  await owner.destroy();
  await server.drop();
});

/** Inserts rows around the middle of the order; microseconds, equal keys and nulls included. */
async function insert(count: number, at = "2026-01-01"): Promise<void> {
  await server.sql(
    `INSERT INTO catalog.memo SELECT $1, uuidv7(), CASE WHEN n % 4 > 0 THEN 'title ' || n % 5 END, 'OPEN',
       $2::timestamptz + (n % 7) * interval '1 microsecond', $2::timestamptz + (n % 3) * interval '1 day'
     FROM generate_series(1, $3::int) n`,
    [tenant.applicationId, at, count],
  );
}

const read = (request: PageRequest, list = counted, search?: string) =>
  listPage(database, createCall(), list, request, {}, { search });

test.each(
  ["createdAt", "timestamp", "title", "id"].flatMap((orderBy) =>
    (["ASC", "DESC"] as const).flatMap((orderDir) =>
      ([[counted], [filled], [counted, "x"]] as const).map(
        ([list, search]) => [orderBy, orderDir, list.name, search, list] as const,
      ),
    ),
  ),
)("no row is repeated or lost: %s %s of %s, search %s", async (orderBy, orderDir, _, search, list) => {
  await server.sql("DELETE FROM catalog.memo");
  await insert(60);
  const order = { orderBy: enumValue(Order, orderBy), orderDir: OrderDirection[orderDir], limit: 7 };
  const all = (await read({ ...order, limit: 100 }, list, search)).rows.map(({ id }) => id);
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const { rows, pagination } = await read({ ...order, ...(after !== undefined && { after }) }, list, search);
    seen.push(...rows.map(({ id }) => id));
    if (pagination.nextCursor === undefined) break;
    after = pagination.nextCursor;
    await insert(5, seen.length % 2 === 0 ? "2025-01-01" : "2027-01-01");
    // The row that the cursor names is deleted, too.
    await server.sql("DELETE FROM catalog.memo WHERE id = $1", [rows.at(-1)?.id]);
  }
  expect(new Set(seen).size).toBe(seen.length);
  const inserted = new Set(all);
  expect(seen.filter((id) => inserted.has(id))).toEqual(all);
});

test("the last page has no cursor, also if it is full", async () => {
  await server.sql("DELETE FROM catalog.memo");
  await insert(10);
  expect((await read({ limit: 10 })).pagination.nextCursor).toBeUndefined();
  expect((await read({ skip: 5n, limit: 5 })).pagination.nextCursor).toBeUndefined();
  const { nextCursor = "" } = (await read({ limit: 5 })).pagination;
  const { rows, pagination } = await read({ limit: 5, after: nextCursor });
  expect([rows.length, pagination.total, pagination.nextCursor]).toEqual([5, 10n, undefined]);
  expect(await read({ limit: 5, after: nextCursor }, tooLarge)).toMatchObject({ rows: [], isTooLarge: true });
});

test("a cursor of another list, order, filter or application is an issue, as is a changed one", async () => {
  const named = (request: PageRequest & Record<string, unknown>) => ({ $typeName: "ListMemosRequest", ...request });
  const { nextCursor = "" } = (await read(named({ limit: 5, status: ["OPEN"] }))).pagination;
  const problem = async (request: PageRequest & Record<string, unknown>, as = tenant) => {
    const found = await listPage(database, createCall(as), counted, request).catch((error: Error) => error);
    const { details } = found as unknown as { details: { value: { violations?: { message: string }[] } }[] };
    return details?.flatMap(({ value }) => value.violations ?? []).map(({ message }) => message)[0];
  };
  const request = named({ limit: 5, status: ["OPEN"], after: nextCursor });
  expect(await problem(request)).toBeUndefined();
  expect(await problem({ ...request, limit: 9 })).toBeUndefined();
  expect(await problem({ ...request, $typeName: "ListOthersRequest" })).toContain("another list");
  expect(await problem(request, testTenant())).toContain("another application");
  expect(await problem({ ...request, orderBy: enumValue(Order, "title") })).toContain("another order");
  expect(await problem({ ...request, orderDir: OrderDirection.ASC })).toContain("another order");
  expect(await problem({ ...request, status: ["DONE"] })).toContain("other filters");
  expect(await problem({ ...request, status: [] })).toContain("other filters");
  expect(await problem({ ...request, skip: 0n })).toContain("exclude each other");
  expect(await problem({ ...request, orderBy: enumValue(Order, "status") })).toBe(
    "This order has no cursors: use `skip`, or order by createdAt, timestamp, title, id",
  );
  for (const after of ["x", "null", nextCursor.slice(1), Buffer.from("[1]").toString("base64url")])
    expect(await problem({ ...request, after })).toContain("malformed");
  const parts: unknown[] = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
  for (const [key, id] of [
    ["someday", newId()],
    ["\0", newId()],
    ["2026-01-01", "1"],
  ]) {
    const after = Buffer.from(JSON.stringify([...parts.slice(0, -2), key, id])).toString("base64url");
    expect(await problem({ ...request, after })).toContain("malformed");
  }
});
