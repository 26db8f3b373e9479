// Search as a service runs it: as the runtime role, under row-level security.

import { tenancyFaults, testDatabase } from "@ems/test-support";
import fc from "fast-check";
import pg from "pg";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { newId } from "../id.ts";
import { ownerDataSource } from "./data-source.ts";
import type { Schema } from "./schema.ts";
import { type SearchedTable, searchTableSql } from "./search-schema.ts";

/** Stands in for a service's schema: the shared search functions exist; a searched table is created here. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const columns = ["title", "body"];
const notes: SearchedTable = { schema: "catalog", table: "note", tenant: "application_id", idType: "uuid", columns };
const server = await testDatabase(inject("postgres"));
const [ours, theirs] = [newId(), newId()];
const rows = 20_000;

let owner: DataSource;
/** Connection of the runtime role for the tenant `ours`. It logs each executed plan, including plans in functions. */
let client: pg.Client;
let plans: string[] = [];

beforeAll(async () => {
  owner = await ownerDataSource(server.ownerUrl, schema).initialize();
  await owner.query(`
    CREATE TABLE catalog.note (application_id uuid, id uuid, title text NOT NULL, body text, PRIMARY KEY (application_id, id));
    ALTER TABLE catalog.note ENABLE ROW LEVEL SECURITY;
    ALTER TABLE catalog.note FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON catalog.note
      USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
    GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.note TO ems_catalog;
    ${searchTableSql(notes)}
  `);
  await server.sql(
    `INSERT INTO catalog.note SELECT ($1::uuid[])[1 + n % 2], uuidv7(), 'Note ' || n, 'The fee of transfer ' || md5(n::text)
     || CASE WHEN n % ($2::int / 5) = 0 THEN ' Chrysanthemum' ELSE '' END FROM generate_series(1, $2::int) n`,
    [[ours, theirs], rows],
  );
  client = new pg.Client({ connectionString: server.superuserUrl });
  await client.connect();
  client.on("notice", ({ message }) => plans.push(message ?? ""));
  await client.query(`LOAD 'auto_explain';
    SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off;
    SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = notice; SET ROLE ems_catalog`);
  await client.query("SELECT set_config('ems.application_id', $1, false)", [ours]);
});

afterAll(async () => {
  await client.end();
  await owner.destroy();
  await server.drop();
});

async function found(needle: string): Promise<string[]> {
  plans = [];
  const { rows } = await client.query("SELECT catalog.find_note($1) AS id", [needle]);
  return rows.map(({ id }) => id).sort();
}

/** Returns the expected result, found by ILIKE without index and policy. */
async function expected(needle: string): Promise<string[]> {
  const pattern = `%${needle.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const text =
    "SELECT id FROM catalog.note WHERE application_id = $1 AND (title ILIKE $2 OR body ILIKE $2) ORDER BY id";
  return (await server.sql<{ id: string }>(text, [ours, pattern])).map(({ id }) => id);
}

test("existing rows are found by their own tenant only", async () => {
  expect(await found("CHRYSANTHEMUM")).toEqual(await expected("chrysanthemum"));
  await client.query("SELECT set_config('ems.application_id', '', false)");
  expect(await found("chrysanthemum")).toEqual([]);
  expect(await found("e")).toEqual([]);
  await client.query("SELECT set_config('ems.application_id', $1, false)", [ours]);
  expect(await server.sql("SELECT application_id, count(*)::int FROM catalog.note_search GROUP BY 1")).toHaveLength(2);
  expect((await client.query("SELECT count(*)::int FROM catalog.note_search")).rows).toEqual([{ count: rows / 2 }]);
});

test("a rare text is found by the index, in the tenant's rows only, without reading other rows", async () => {
  await server.sql("VACUUM ANALYZE catalog.note_search");
  // Repeated until PostgreSQL caches a plan.
  for (let run = 0; run < 8; run++) await found("chrysanthemum");
  const [plan] = plans.filter((text) => text.includes("note_search"));
  expect(plan).toMatch(/Bitmap Index Scan on note_search_tokens .*rows=[0-5]\b/);
  expect(plan).not.toMatch(/Seq Scan|note_search_pkey/);
});

test("a text that is too short for the index scans the tenant's rows only", async () => {
  expect(await found("zqx")).toEqual([]);
  const [plan] = plans.filter((text) => text.includes("note_search"));
  expect(plan).toMatch(/note_search_pkey/);
  expect(plan).toMatch(new RegExp(`Rows Removed by Filter: ${rows / 2}\\b`));
});

test("the found ids are looked up by the primary key", async () => {
  plans = [];
  const text =
    "SELECT id FROM catalog.note WHERE application_id = $1 AND id = ANY (ARRAY(SELECT catalog.find_note($2)))";
  await client.query(text, [ours, "chrysanthemum"]);
  expect(plans.at(-1)).toMatch(/Index (Only )?Scan using note_pkey|Bitmap Index Scan on note_pkey/);
});

test("search finds the current text after a change and nothing after a deletion", async () => {
  const id = newId();
  await client.query("INSERT INTO catalog.note VALUES ($1, $2, 'A Heliotrope', NULL)", [ours, id]);
  expect(await found("heliotrope")).toEqual([id]);
  await client.query("UPDATE catalog.note SET title = 'none', body = 'Larkspur' WHERE id = $1", [id]);
  expect([await found("heliotrope"), await found("LARKSPUR")]).toEqual([[], [id]]);
  await client.query("DELETE FROM catalog.note WHERE id = $1", [id]);
  expect(await found("larkspur")).toEqual([]);
});

test("a text with more trigrams than an index entry holds can be written and found", async () => {
  const id = newId();
  const noise = Array.from({ length: 1_000_000 }, (_, at) =>
    String.fromCodePoint(0x3400 + ((at * at * 7919) % 20_000)),
  );
  const body = `${noise.join("")}Delphinium`;
  await client.query("INSERT INTO catalog.note VALUES ($1, $2, 'long', $3)", [ours, id, body]);
  expect(await found("delphinium")).toEqual([id]);
  expect(await found(noise.slice(700_000, 700_200).join(""))).toEqual([id]);
  await client.query("DELETE FROM catalog.note WHERE id = $1", [id]);
});

/**
 * Characters with language-specific case, combining marks, and characters with a meaning in LIKE, queries or the index.
 */
const letters = [
  ..."aAbBeEiIıİsSſßẞkKσΣςéÉ%_\\'\"&|!():*-. \t\n",
  "\u0301",
  "\u0001",
  "\u{1f338}",
  "\u{1f469}\u200d",
  "K",
  "語",
  "ﬁ",
];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((characters) => characters.join(""));

test("search finds the same rows as ILIKE, whatever the texts contain", { timeout: 120_000 }, async () => {
  await server.sql("DELETE FROM catalog.note");
  const property = fc.asyncProperty(
    fc.array(fc.tuple(text(40), text(60)), { minLength: 1, maxLength: 20 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 6 }),
    text(8),
    async (texts, cuts, random) => {
      await server.sql("DELETE FROM catalog.note");
      for (const tenant of [ours, theirs])
        for (const [title, body] of texts)
          await server.sql("INSERT INTO catalog.note VALUES ($1, $2, $3, $4)", [tenant, newId(), title, body]);
      // Parts of stored texts, in different case: random texts would rarely match.
      const pieces = cuts.map(([which, from, length, upper]) => {
        const whole = [...(texts[which % texts.length] ?? []).join("")];
        const piece = whole
          .slice(from % (whole.length + 1))
          .slice(0, length)
          .join("");
        return upper ? piece.toUpperCase() : piece.toLowerCase();
      });
      for (const needle of [random, ...pieces])
        expect([needle, await found(needle)]).toEqual([needle, await expected(needle)]);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test("the tables of a search have policies, and removing search leaves nothing", async () => {
  const faults = await tenancyFaults(server.sql, ["catalog"]);
  // The names exist only in this test, so the list of known policies lacks them.
  expect(faults).toEqual([
    "note_search.search: unknown policy",
    "note_search: note_search_tokens does not lead with application_id",
  ]);
});
