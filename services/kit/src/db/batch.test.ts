import { testDatabase } from "@ems/test-support";
import pg, { type PoolClient } from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { sendBatch } from "./batch.ts";
import { surviveConnectionLoss } from "./connection-loss.ts";

const server = await testDatabase(inject("postgres"));
const pool = new pg.Pool({ connectionString: server.superuserUrl, max: 1 });
surviveConnectionLoss(pool);
await server.sql("CREATE TABLE note (id int PRIMARY KEY, text text NOT NULL)");
afterAll(async () => {
  await pool.end();
  await server.drop();
});

let client: PoolClient;
beforeEach(async () => {
  client = await pool.connect();
  await server.sql("TRUNCATE note");
});
afterEach(() => client.release());

const insert = (id: number, text: string | null = "text") => ({
  name: "insert",
  text: "INSERT INTO note VALUES ($1, $2)",
  values: [id, text],
});
const all = { name: "all", text: "SELECT id FROM note ORDER BY id", values: [] };
const prepared = async () => {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM pg_prepared_statements ORDER BY name");
  return rows.map(({ name }) => name);
};

test("each statement returns its rows in the form of pg, and their number", async () => {
  const types = `SELECT 1 AS one, 2::bigint AS two, 1.5::float8 AS three, true AS yes, NULL AS nothing, 'x' AS text,
    '{1,2}'::int[] AS list, '{"a": [1]}'::jsonb AS json, '\\x00ff'::bytea AS bytes, 'now'::timestamptz(3) AS at, $1::date AS day`;
  const value = new Date(2026, 1, 3);
  await client.query("BEGIN");
  const { rows } = await client.query(types, [value]);
  const statement = { name: "types", text: types, values: [value] };
  const unnamed = { text: types, values: [value] };
  const batch = [insert(1), insert(2), statement, unnamed, statement, { text: "", values: [] }, all];
  // The first run parses all statements; in the second one, the named ones are already prepared.
  const results = [await sendBatch(client, batch)];
  await client.query("DELETE FROM note");
  results.push(await sendBatch(client, batch));
  await client.query("ROLLBACK");
  for (const [first, second, ...selected] of results) {
    expect([first, second]).toEqual([
      { rows: [], rowCount: 1 },
      { rows: [], rowCount: 1 },
    ]);
    for (const typed of selected.slice(0, 3)) expect(typed).toEqual({ rows, rowCount: 1 });
    expect(selected.slice(3)).toEqual([
      { rows: [], rowCount: 0 },
      { rows: [{ id: 1 }, { id: 2 }], rowCount: 2 },
    ]);
  }
  expect(Object.getPrototypeOf(results[0]?.[2]?.rows[0])).toBe(Object.prototype);
});

test("a name is prepared once per connection, by a batch or by pg", async () => {
  await client.query({ name: "by-pg", text: "SELECT 1 AS one" });
  const byPg = { name: "by-pg", text: "SELECT 1 AS one", values: [] };
  const byBatch = { name: "by-batch", text: "SELECT 2 AS two", values: [] };
  const [first, second] = await sendBatch(client, [byPg, byBatch, byBatch]);
  expect([first?.rows, second?.rows]).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  expect((await client.query(byBatch)).rows).toEqual([{ two: 2 }]);
  expect(await prepared()).toEqual(expect.arrayContaining(["by-batch", "by-pg"]));
  const other = sendBatch(client, [insert(1), { ...byBatch, text: "SELECT 3" }]);
  await expect(other).rejects.toThrow('the name "by-batch" is of another prepared statement');
  expect((await sendBatch(client, [all]))[0]?.rows).toEqual([]);
});

test.for([0, 1, 2])("an error names statement %i of three, and none of them has any effect", async (position) => {
  const batch = [1, 2, 3].map((id) => insert(id, id - 1 === position ? null : "text"));
  const failed = await sendBatch(client, batch).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(pg.DatabaseError);
  expect(failed).toMatchObject({ code: "23502", message: expect.stringContaining(`statement ${position + 1} of 3`) });
  expect(client.getTransactionStatus()).toBe("I");
  expect((await sendBatch(client, [all]))[0]?.rows).toEqual([]);
});

test("a statement that PostgreSQL cannot parse does not count as prepared", async () => {
  const wrong = { name: "wrong", text: "SELECT wrong FROM note", values: [] };
  const later = { name: "later", text: "SELECT 1 AS one", values: [] };
  for (let times = 0; times < 2; times += 1) {
    await expect(sendBatch(client, [all, wrong, later])).rejects.toThrow(
      /"wrong" does not exist \(in .* 2 of 3: wrong/,
    );
  }
  await server.sql("ALTER TABLE note ADD wrong int");
  expect(await sendBatch(client, [wrong, later])).toMatchObject([{ rows: [] }, { rows: [{ one: 1 }] }]);
  await server.sql("ALTER TABLE note DROP wrong");
});

test("an error of the commit rejects the batch", async () => {
  await server.sql("CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
  const late = { text: "INSERT INTO late VALUES (1)", values: [] };
  await expect(sendBatch(client, [late, late])).rejects.toThrow(/duplicate key .* \(in the commit\)/);
  expect(await server.sql("SELECT FROM late")).toEqual([]);
});

test("a batch with a value that cannot be sent is not sent", async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const failing = sendBatch(client, [insert(1), { text: "SELECT $1", values: [circular] }]);
  await expect(failing).rejects.toThrow(/circular/);
  expect((await sendBatch(client, [all]))[0]?.rows).toEqual([]);
});

test("a row that cannot be decoded fails the batch; the connection stays usable", async () => {
  client.setTypeParser(21, () => {
    throw new Error("not readable");
  });
  await expect(sendBatch(client, [{ text: "SELECT 1::int2", values: [] }])).rejects.toThrow("not readable");
  expect((await sendBatch(client, [all]))[0]?.rows).toEqual([]);
});

test("a COPY fails instead of waiting for data, and its connection is closed", async () => {
  await expect(sendBatch(client, [{ text: "COPY note FROM STDIN", values: [] }, all])).rejects.toThrow(/COPY/);
  await expect(sendBatch(client, [all])).rejects.toThrow(/not queryable/);
});

test("a batch fails if its connection is lost before or during it", async () => {
  const sleep = { text: "SELECT pg_sleep(30)", values: [] };
  const [backend] = (await sendBatch(client, [{ text: "SELECT pg_backend_pid() AS pid", values: [] }]))[0]?.rows ?? [];
  const running = sendBatch(client, [insert(1), sleep]).catch((error: unknown) => error);
  await expect
    .poll(() => server.sql("SELECT FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'", [backend?.pid]))
    .toHaveLength(1);
  await server.sql("SELECT pg_terminate_backend($1)", [backend?.pid]);
  expect(await running).toMatchObject({ code: "57P01" });
  await expect(sendBatch(client, [all])).rejects.toThrow(/not queryable|terminated/);
  expect(await server.sql("SELECT FROM note")).toEqual([]);
});
