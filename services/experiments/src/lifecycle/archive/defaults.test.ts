// Archived rows get ClickHouse's default for a new column; PostgreSQL's default must be the same.

import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { allKinds, getSchema } from "../../../test/archive-parts.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

/** ClickHouse's defaults, as PostgreSQL prints them; null means no default. */
const ofClickhouse = ["0", "''::text", "false"];

const defaults = `SELECT c.relname || '.' || a.attname AS column, pg_get_expr(d.adbin, d.adrelid) AS value
  FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.adnum
  WHERE c.oid = ANY ($1::regclass[]::oid[])`;

const different = async () => {
  const tables = allKinds.flatMap(({ kind, tables }) =>
    tables.map(({ entity }) => `${getSchema(kind)}.${entity.options.tableName}`),
  );
  const found = await database.sql<{ column: string; value: string }>(defaults, [tables]);
  return found.filter(({ value }) => !ofClickhouse.includes(value));
};

test("columns of archived tables have the same defaults as in ClickHouse", async () => {
  expect(await different()).toEqual([]);
  await database.sql("ALTER TABLE experiments.test ADD COLUMN weight integer NOT NULL DEFAULT 1");
  expect(await different()).toEqual([{ column: "test.weight", value: "1" }]);
});
