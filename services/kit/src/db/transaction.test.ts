import { testCall, testDatabase, testTenant } from "@ems/test-support";
import pg from "pg";
import { In, Not } from "typeorm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { monotonicMs } from "../clock.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import type { Schema } from "./schema.ts";
import {
  bytes,
  integer,
  jsonb,
  nullable,
  type Row,
  table,
  text,
  texts,
  timestamp,
  uuid,
  withDefault,
} from "./table.ts";
import { tenantPolicy } from "./tenant-policy.ts";

const NoteEntity = table("catalog.note", {
  applicationId: uuid,
  id: uuid,
  title: text,
  words: texts,
  content: nullable(jsonb<unknown>()),
  digest: nullable(bytes),
  size: withDefault(integer, 7),
  createdAt: timestamp,
});
type Note = Row<typeof NoteEntity>;

const schema: Schema = { name: "catalog", entities: [NoteEntity], migrations: [] };
const server = await testDatabase(inject("postgres"));
const source = serviceDataSource({ url: server.getUrl(schema), poolMax: 2, schema, log: createLog("test", "silent") });
const tenant = testTenant();
const { applicationId } = tenant;
const call = { ...testCall(tenant), tenant, deadlineMs: monotonicMs() + 60_000 } as unknown as Call;
let database: Database;

beforeAll(async () => {
  await server.sql(`
    CREATE TABLE catalog.note (application_id uuid NOT NULL, id uuid NOT NULL, title text NOT NULL, words text[] NOT NULL,
      content jsonb, digest bytea, size integer NOT NULL DEFAULT 7, created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (application_id, id));
    ${tenantPolicy("catalog.note")}
    GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.note TO ems_catalog;
  `);
  await source.initialize();
  database = new Database(source);
});
afterAll(async () => {
  await source.destroy();
  await server.drop();
});

const note = (change: Partial<Note> = {}): Note => ({
  applicationId,
  id: newId(),
  title: "title",
  words: [],
  content: null,
  digest: null,
  size: 1,
  createdAt: new Date("2026-01-02T03:04:05.678Z"),
  ...change,
});

test("rows are read exactly as inserted, whatever their texts, arrays and JSON", async () => {
  const rows = [
    note({ title: "", words: ["", "a,b", '"quoted"', "back\\slash", "NULL", "{}", "line\nbreak"], content: [] }),
    note({ title: "{\"}'\\", words: [], content: { a: [1, null, "é"] }, digest: Buffer.from([0, 92, 255]) }),
    note({ words: ["only"], content: "text", createdAt: new Date("9999-12-31T23:59:59.999Z") }),
    note({ createdAt: new Date("0001-01-01T00:00:00.000Z") }),
  ];
  const found = await database.withTenant(call, async (tx) => {
    await tx.insert(NoteEntity, rows);
    return tx.find(NoteEntity, { id: In(rows.map(({ id }) => id)) }, { orderBy: { id: "ASC" } });
  });
  expect(found).toEqual(rows);
});

test("a missing column gets its default, and many rows are one statement", async () => {
  const rows = Array.from({ length: 20_000 }, () => {
    const { size: _, ...row } = note({ title: "many" });
    return row;
  });
  const sizes = await database.withTenant(call, async (tx) => {
    await tx.insert(NoteEntity, rows);
    await tx.insert(NoteEntity, []);
    return tx.query("SELECT size, count(*)::int FROM catalog.note WHERE title = 'many' GROUP BY size");
  });
  expect(sizes).toEqual([{ size: 7, count: 20_000 }]);
});

test("inserting an existing row fails the statement, or is ignored", async () => {
  const row = note({ title: "first" });
  const add = (change: Partial<Note>, onConflict?: "ignore") =>
    database.withTenant(call, (tx) => tx.insert(NoteEntity, { ...row, ...change }, onConflict));
  await add({});
  await expect(add({ title: "second" })).rejects.toMatchObject({ code: "23505" });
  await add({ title: "third" }, "ignore");
  const title = await database.withTenant(call, (tx) => tx.getOne(NoteEntity, { applicationId, id: row.id }));
  expect(title).toMatchObject({ title: "first" });
});

test("an upsert changes the chosen columns of stored rows that differ, and returns the inserted and changed rows", async () => {
  const createdAt = new Date("2027-01-01T00:00:00.000Z");
  const [changed, same] = [note({ title: "old", size: 3 }), note({ title: "same", size: 3 })];
  const added = note({ title: "added", size: 3 });
  const put = (rows: readonly Note[]) =>
    database.withTenant(call, (tx) =>
      tx.insertReturning(NoteEntity, rows, ["id", "createdAt"], {
        key: ["applicationId", "id"],
        update: ["title", "content", "createdAt"],
        ifChanged: ["title", "content"],
      }),
    );
  expect(await put([])).toEqual([]);
  await put([changed, same]);
  const repeated = [{ ...changed, title: "new", size: 4 }, same, added].map((row) => ({ ...row, createdAt }));
  expect(await put(repeated)).toEqual([changed, added].map(({ id }) => ({ id, createdAt })));
  const found = await database.withTenant(call, (tx) => {
    return tx.find(NoteEntity, { id: In(repeated.map(({ id }) => id)) }, { orderBy: { title: "ASC" } });
  });
  expect(found).toEqual([{ ...added, createdAt }, { ...changed, title: "new", createdAt }, same]);
});

test("updates and deletions return the number of rows", async () => {
  const rows = ["b", "a", "c"].map((title) => note({ title, size: 99 }));
  await database.withTenant(call, async (tx) => {
    await tx.insert(NoteEntity, rows);
    expect(await tx.count(NoteEntity, { size: 99 })).toBe(3);
    expect(await tx.update(NoteEntity, { size: 99, title: Not("c") }, { content: { x: 1 }, words: ["w"] })).toBe(2);
    const options = { orderBy: { title: "DESC" }, skip: 1, limit: 1, lock: "UPDATE" } as const;
    expect(await tx.find(NoteEntity, { size: 99 }, options)).toMatchObject([
      { title: "b", content: { x: 1 }, words: ["w"] },
    ]);
    expect(await tx.delete(NoteEntity, { size: 99, title: "b" })).toBe(1);
    expect(await tx.exists(NoteEntity, { size: 99, title: "b" })).toBe(false);
    expect(await tx.exists(NoteEntity, { size: 99 })).toBe(true);
    expect(await tx.findOne(NoteEntity, { size: 98 })).toBeNull();
    await expect(tx.getOne(NoteEntity, { size: 98 })).rejects.toThrow("Note");
  });
});

/** Counts the batches that `work` sends to this file's database. Other files of the worker may have running work. */
async function batches(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    return query.mock.contexts.filter((client) => (client as pg.Client).database === source.driver.database).length;
  } finally {
    query.mockRestore();
  }
}

test("deferred statements take no additional round trip", async () => {
  const row = note();
  const key = { applicationId, id: row.id };
  const insert = () =>
    database.withTenant(call, async (tx) => {
      await tx.insert(NoteEntity, row);
      tx.deferUpdate(NoteEntity, key, { title: "second" });
    });
  expect(await batches(insert)).toBe(1);
  const look = () =>
    database.withTenant(call, async (tx) => {
      tx.deferUpdate(NoteEntity, key, { title: "third" });
      const [found, count] = await Promise.all([tx.getOne(NoteEntity, key), tx.count(NoteEntity, key)]);
      expect([found.title, count]).toEqual(["third", 1]);
      tx.defer("UPDATE catalog.note SET size = 3 WHERE id = $1", [row.id]);
    });
  expect(await batches(look)).toBe(2);
  const last = () =>
    database.withTenant(call, (tx) => {
      tx.deferDelete(NoteEntity, { ...key, title: "none" });
      return tx.commit(tx.update(NoteEntity, { ...key, size: 3 }, { title: "last" }));
    });
  expect(await batches(last)).toBe(1);
  expect(await batches(() => database.withTenant(call, async () => undefined))).toBe(0);
  expect(await database.withTenant(call, (tx) => tx.getOne(NoteEntity, key))).toMatchObject({ title: "last" });
});

test("a failed handler sends none of its deferred statements", async () => {
  const row = note();
  const failing = database.withTenant(call, async (tx) => {
    await tx.insert(NoteEntity, row);
    throw new Error("the handler fails");
  });
  await expect(failing).rejects.toThrow("the handler fails");
  expect(await database.withTenant(call, (tx) => tx.exists(NoteEntity, { id: row.id }))).toBe(false);
});

test("a committed transaction accepts no further statements", async () => {
  const late = database.withTenant(call, async (tx) => {
    await tx.commit(tx.query("SELECT 1"));
    await tx.query("SELECT 2");
  });
  await expect(late).rejects.toThrow("the transaction has been committed");
  const deferred = database.withTenant(call, async (tx) => {
    await tx.commit(tx.query("SELECT 1"));
    tx.defer("SELECT 2");
  });
  await expect(deferred).rejects.toThrow("the transaction has been committed");
});

test("with an idempotency key an early commit waits for the answer to be stored", async () => {
  const idempotency = {
    key: newId(),
    rpc: "test/Work",
    fingerprint: Buffer.from(""),
    encode: (answer: unknown) => Buffer.from(String(answer)),
    decode: (stored: Uint8Array) => Buffer.from(stored).toString(),
    etag: () => undefined,
    markReplayed: () => undefined,
  };
  const row = note();
  const work = () =>
    database.change<string>({ ...call, idempotency }, async (tx) => {
      await tx.insert(NoteEntity, row);
      const { title } = await tx.commit(tx.getOne(NoteEntity, { applicationId, id: row.id }));
      return title;
    });
  expect(await batches(async () => expect(await work()).toBe("title"))).toBe(3);
  expect(await work()).toBe("title");
});
