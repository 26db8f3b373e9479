// Backs up a database and restores it. test/start/backup.nightly.test.ts does so while clients write to the product.

import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, zstdDecompressSync } from "node:zlib";
import { backupRole } from "@ems/kit/db/backup-role";
import { withClient } from "@ems/kit/db/client";
import { migrate } from "@ems/kit/db/migrate";
import { provisionDatabase, urlFor } from "@ems/kit/db/provision";
import { type TestDatabase, testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { schemas } from "../schemas.ts";
import { openDump } from "./dump.ts";
import { check, restore } from "./restore.ts";
import { listTables } from "./tables.ts";

const postgres = inject("postgres");
const databases: TestDatabase[] = [];
afterAll(() => Promise.all(databases.map((each) => each.drop())));

async function newDatabase(): Promise<TestDatabase> {
  const database = await testDatabase(postgres);
  databases.push(database);
  return database;
}

/** Creates a database as `prepare` leaves it: roles and schemas, but no tables. */
async function preparedDatabase(): Promise<TestDatabase> {
  const database = await newDatabase();
  for (const { name } of schemas) await database.sql(`DROP SCHEMA ${name} CASCADE`);
  await provisionDatabase(database.superuserUrl, schemas, postgres.passwords);
  return database;
}

const backupUrl = ({ superuserUrl }: TestDatabase) => urlFor(superuserUrl, backupRole, postgres.passwords);

async function backUp(database: TestDatabase): Promise<Buffer> {
  const dump = await openDump(backupUrl(database));
  try {
    const compressed = createZstdCompress();
    const [all] = await Promise.all([buffer(compressed), pipeline(Readable.from(dump.chunks), compressed)]);
    return all;
  } finally {
    await dump.close();
  }
}

/** Returns every row of every table, and the counts of partitions, triggers and policies. */
async function contents({ sql }: TestDatabase) {
  const query = async <Row extends object>(text: string, values?: unknown[]) => ({
    rows: await sql<Row>(text, values),
  });
  const names = schemas.map(({ name }) => name);
  const rows: Record<string, string[]> = {};
  for (const { place } of await listTables({ query }, names)) {
    const found = await sql<{ row: string }>(`SELECT t::text AS row FROM ${place} t ORDER BY 1`);
    rows[place] = found.map(({ row }) => row);
  }
  const tables = await sql(
    `SELECT c.oid::regclass::text AS name, relrowsecurity, relforcerowsecurity, t.tgname, t.tgenabled
     FROM pg_class c LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
     WHERE relnamespace = ANY ($1::regnamespace[]) AND relkind IN ('r', 'p') ORDER BY 1, tgname`,
    [names],
  );
  return { rows, tables };
}

const application = "0194f3a0-0000-7000-8000-000000000001";
const id = (last: number) => `0194f3a0-0000-7000-8000-${String(last).padStart(12, "0")}`;
/** Text with characters that COPY must escape, and parts that resemble COPY's own markers. */
const hostile = "tab\t line\n return\r back\\slash \\N \\. quote' \u{1f600} \u0001";

const source = await newDatabase();
await source.sql(
  `INSERT INTO catalog.topic (application_id, id, org_id, title, status, baseline, created_at, modified_at)
   SELECT $1, ('0194f3a0-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'org', $2 || n, 'ACTIVE', n / 3.0, now(), now()
   FROM generate_series(1, 3000) n`,
  [application, hostile],
);
await source.sql("INSERT INTO identity.organisation VALUES ('org', $1, now(), now())", [hostile]);
await source.sql("INSERT INTO catalog.idempotency VALUES ($1, 'rpc', 'key', '\\x00ff5c', NULL, now())", [application]);
// A document and its version reference each other by foreign keys, so one statement inserts both.
await source.sql(
  `WITH one AS (INSERT INTO catalog.document (application_id, id, org_id, topic_id, active_version, created_at, modified_at)
     VALUES ($1, $2, 'org', $3, 1, now(), now()))
   INSERT INTO catalog.document_version VALUES
     ($1, $4, 'org', $2, 1, 'title', $5, 'ACTIVE', 'en', '{"a": [1, null]}', ARRAY[$5, NULL, ''], 1, now(), now(), 0)`,
  [application, id(1), id(7), id(2), hostile],
);
await source.sql("SELECT experiments.add_months('{2021-02-03,2026-01-01}')");
for (const [n, day] of ["2021-02-03", "2026-01-31"].entries()) {
  await source.sql(
    `INSERT INTO experiments.test (application_id, id, created_at, task_id, run_id, org_id, run_type, status, definition_ids, prompt)
     VALUES ($1, $2, $3, $2, $2, 'org', 'MANUAL', 'COMPLETED', ARRAY[$2::uuid], '{ "b":1,  "a" : 2.50 }')`,
    [application, id(n), day],
  );
}
const [whole, expected] = [await backUp(source), await contents(source)];

test("a restore into a migrated database returns every row of every table", async () => {
  expect(expected.rows["catalog.topic"]).toHaveLength(3000);
  expect(expected.rows["experiments.test"]).toHaveLength(2);
  const target = await newDatabase();
  const { tables } = await restore(Readable.from([whole]), target.ownerUrl);
  expect(await contents(target)).toEqual(expected);
  expect(tables.find(({ table }) => table === "catalog.topic")).toMatchObject({ rows: 3000 });
  // A restored database can itself be backed up.
  const { tables: second } = await check(Readable.from([await backUp(target)]));
  expect(second).toEqual(tables);
});

test("a restore hides expired rows by the backup's retention, whatever the empty target stored before", async () => {
  const [original, target] = [await newDatabase(), await newDatabase()];
  const border = "date_trunc('day', now(), 'UTC') - interval '30 days'";
  await original.sql(
    `INSERT INTO traces.trace (application_id, id, org_id, "timestamp", created_at, modified_at, type, metadata, is_root_child, has_error,
       steps, bytes, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned)
     SELECT $1, id, 'org', at, at, at, 'log', '{}', false, false, 0, 0, 0, 0, 0, 0, 0, 0
     FROM (VALUES ($2::uuid, ${border}), ($3::uuid, ${border} - interval '1 ms')) one (id, at)`,
    [application, id(1), id(2)],
  );
  await original.sql("INSERT INTO traces.retention (kind, days) VALUES ('traces', 30)");
  await target.sql("INSERT INTO traces.retention (kind, days) VALUES ('traces', 7)");
  await target.sql("INSERT INTO experiments.retention (kind, days) VALUES ('results', 7)");
  await restore(Readable.from([await backUp(original)]), target.ownerUrl);
  const retention = "SELECT kind, days FROM experiments.retention UNION ALL SELECT kind, days FROM traces.retention";
  expect(await target.sql(retention)).toEqual([{ kind: "traces", days: 30 }]);
  expect(await target.sql("SELECT FROM traces.trace")).toHaveLength(2);
  const visible = await withClient(urlFor(target.superuserUrl, "ems_traces", postgres.passwords), async (client) => {
    await client.query("SELECT set_config('ems.application_id', $1, false)", [application]);
    return client.query("SELECT id FROM traces.trace");
  });
  expect(visible.rows).toEqual([{ id: id(1) }]);
});

test("a backup of an older version is restored into a database without tables, and migrated", async () => {
  // Create the backup without catalog's newest migration, which the restore must then run.
  const target = await preparedDatabase();
  const older = schemas.map((schema) => ({
    ...schema,
    migrations: schema.name === "catalog" ? schema.migrations.slice(0, -1) : schema.migrations,
  }));
  await migrate(target.ownerUrl, older);
  await target.sql("INSERT INTO identity.organisation VALUES ('org', 'Older', now(), now())");
  const backup = await backUp(target);
  await expect(restore(Readable.from([backup]), (await newDatabase()).ownerUrl)).rejects.toThrow(
    /The database has migrations that the backup does not have: catalog: \w+\. Restore into a database that was prepared/,
  );
  const restored = await preparedDatabase();
  await restore(Readable.from([backup]), restored.ownerUrl);
  expect(await restored.sql("SELECT name FROM identity.organisation")).toEqual([{ name: "Older" }]);
  expect(await migrate(restored.ownerUrl, schemas)).toEqual([]);
});

test("a truncated or altered file is rejected and leaves no row", async () => {
  const target = await newDatabase();
  const plain = zstdDecompressSync(whole);
  const compressed = async (content: Buffer) => buffer(Readable.from([content]).pipe(createZstdCompress()));
  const changed = Buffer.from(plain);
  const at = changed.indexOf("quote' ") + 1;
  changed.write("Q", at, "latin1");
  const cases: [Buffer, RegExp][] = [
    [whole.subarray(0, whole.length - 10), /truncated/],
    [whole.subarray(0, 100), /truncated/],
    [await compressed(plain.subarray(0, -1)), /truncated/],
    [await compressed(plain.subarray(0, plain.lastIndexOf("M"))), /truncated/],
    [await compressed(Buffer.concat([plain, Buffer.from("more")])), /altered/],
    [await compressed(changed), /altered/],
    [await compressed(Buffer.from("SELECT 1;\n".repeat(10))), /not a backup/],
    [Buffer.from("SELECT 1;\n".repeat(10)), /not a backup/],
  ];
  const empty = await contents(await newDatabase());
  for (const [content, reason] of cases) {
    await expect(check(Readable.from([content]))).rejects.toThrow(reason);
  }
  for (const [content, reason] of cases.filter((_, index) => index % 2 === 0)) {
    await expect(restore(Readable.from([content]), target.ownerUrl)).rejects.toThrow(reason);
  }
  expect(await contents(target)).toMatchObject({ rows: empty.rows });
});

test("a restore rejects a database with a row and a backup of a newer version", async () => {
  await expect(restore(Readable.from([whole]), source.ownerUrl)).rejects.toThrow(
    /^The database is not empty: identity\.organisation, catalog\.\w+, catalog\.\w+ and \d+ more have rows\./,
  );
  const newer = await newDatabase();
  await newer.sql("INSERT INTO catalog.migration (timestamp, name) VALUES (1999999999999, 'Later1999999999999')");
  const backup = await backUp(newer);
  await expect(restore(Readable.from([backup]), (await newDatabase()).ownerUrl)).rejects.toThrow(
    "with migrations that this one does not have: catalog: Later1999999999999",
  );
  await expect(restore(Readable.from([whole]), newer.ownerUrl)).rejects.toThrow(
    "migrations that the backup does not have: catalog: Later1999999999999",
  );
});

test("a backup rejects a role that cannot read every row; the next migration makes new tables readable", async () => {
  await expect(openDump(source.ownerUrl)).rejects.toThrow("The role cannot read every row of identity.");
  const database = await newDatabase();
  await database.sql(
    `CREATE TABLE catalog.later (application_id uuid); ALTER TABLE catalog.later ENABLE ROW LEVEL SECURITY;
     ALTER TABLE catalog.later OWNER TO ems_owner`,
  );
  await expect(openDump(backupUrl(database))).rejects.toThrow("cannot read every row of catalog.later: connect as");
  await migrate(database.ownerUrl, schemas);
  await (await openDump(backupUrl(database))).close();
});

test("a backup omits no data: the only sequence is that of batches, which a restore advances; no materialized views, no large objects", async () => {
  const found = await source.sql(
    `SELECT relname FROM pg_class WHERE relnamespace = ANY ($1::regnamespace[]) AND relkind IN ('S', 'm')
       AND relname NOT IN ('migration_id_seq', 'archive_batch_number_seq') UNION ALL SELECT 'large object' FROM pg_largeobject_metadata`,
    [schemas.map(({ name }) => name)],
  );
  expect(found).toEqual([]);
});

test("a backup allows writes and the creation of a month's partition", async () => {
  const database = await newDatabase();
  await database.sql("SELECT experiments.add_months('{2026-01-01}')");
  const dump = await openDump(backupUrl(database));
  try {
    const compressed = createZstdCompress();
    const chunks = dump.chunks[Symbol.asyncIterator]();
    // After the header, the snapshot exists and no table has been read, so later changes must not appear.
    compressed.write((await chunks.next()).value);
    await database.sql("INSERT INTO identity.organisation VALUES ('late', 'Late', now(), now())");
    await database.sql("SELECT experiments.add_months('{2026-06-01}')");
    const rest = async function* () {
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    };
    const [all] = await Promise.all([buffer(compressed), pipeline(Readable.from(rest()), compressed)]);
    const { tables } = await check(Readable.from([all]));
    expect(tables.find(({ table }) => table === "identity.organisation")).toMatchObject({ rows: 0 });
  } finally {
    await dump.close();
  }
});

test("a restore keeps archived batches and archives all others again under new numbers", async () => {
  const from = await newDatabase();
  const parts = [
    ["experiments", "results", "{dropped,published,open,withdrawn}"],
    ["traces", "traces", "{open,dropped}"],
  ] as const;
  for (const [schema, kind, states] of parts) {
    await from.sql(
      `INSERT INTO ${schema}.archive_batch (application_id, kind, starts, ends, state, rows)
       SELECT $1, $2, '2026-01-01'::date + n::int, '2026-01-02'::date + n::int, state, 10
       FROM unnest($3::text[]) WITH ORDINALITY s (state, n)`,
      [application, kind, states],
    );
  }
  const backup = await backUp(from);
  const into = await preparedDatabase();
  const { header } = await restore(Readable.from(backup), into.ownerUrl);
  expect(header.dropped).toEqual({ batches: 2, rows: 20, last: 4, lasts: { experiments: 4, traces: 2 } });
  const states = (schema: string) => into.sql(`SELECT number, state FROM ${schema}.archive_batch ORDER BY number`);
  for (const [schema, kind] of parts) {
    await into.sql(
      `INSERT INTO ${schema}.archive_batch (application_id, kind, starts, ends) VALUES ($1, $2, '2026-03-01', '2026-03-02')`,
      [application, kind],
    );
  }
  const withdrawn = [2, 3, 4].map((number) => ({ number, state: "withdrawn" }));
  expect(await states("experiments")).toEqual([
    { number: 1, state: "dropped" },
    ...withdrawn,
    { number: 1_000_005, state: "open" },
  ]);
  expect(await states("traces")).toEqual([
    { number: 1, state: "withdrawn" },
    { number: 2, state: "dropped" },
    { number: 1_000_003, state: "open" },
  ]);
});
