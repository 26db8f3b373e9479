// A database of the commit before the baseline goes on with it; an older one, or one that was changed by hand, is left alone.

import { schemas } from "@ems/deploy/schemas";
import { dryRunMigrations, migrate, migrationStatus } from "@ems/kit/db/migrate";
import { migrationName } from "@ems/kit/db/schema";
import { testDatabase } from "@ems/test-support";
import { afterEach, expect, inject, test } from "vitest";

const baselines = schemas.map(({ name, migrations: [first] }) => `${name}: ${first && migrationName(first)}`);
let database = await testDatabase(inject("postgres"));

afterEach(async () => {
  await database.drop();
  database = await testDatabase(inject("postgres"));
});

/** As the migrations before the baseline left it, but for those whose names `isKept` refuses. */
async function recordHistory(isKept: (name: string) => boolean = () => true): Promise<void> {
  for (const { name, replaced } of schemas) {
    const names = ["CreateSomething1763710000000", replaced?.newest ?? ""].filter(isKept);
    await database.sql(`DELETE FROM ${name}.migration`);
    for (const each of names)
      await database.sql(`INSERT INTO ${name}.migration (timestamp, name) VALUES ($1, $2)`, [each.slice(-13), each]);
  }
}

const recorded = () =>
  database.sql(
    schemas.map(({ name }) => `SELECT '${name}' AS schema, name FROM ${name}.migration`).join(" UNION ALL "),
  );

test("a database of the commit before records the baseline, once, and nothing else", async () => {
  await recordHistory();
  const before = await recorded();
  const states = async () => (await migrationStatus(database.ownerUrl, schemas)).map(({ state }) => state);
  expect(await states()).toEqual(schemas.map(() => "pending"));
  expect(await dryRunMigrations(database.ownerUrl, schemas)).toEqual(baselines);
  expect(await recorded()).toEqual(before);

  expect(await migrate(database.ownerUrl, schemas)).toEqual(baselines);
  expect(await migrate(database.ownerUrl, schemas)).toEqual([]);
  expect(await states()).toEqual(schemas.map(() => "done"));
  // Processes of that commit, which are being replaced, still find their newest migration.
  expect(await recorded()).toEqual(expect.arrayContaining(before));
});

test("an older database is refused, with the commit whose migrations it needs first", async () => {
  await recordHistory((name) => !name.startsWith("ReportEstimatedTokens"));
  const before = await recorded();
  const message = "The schema experiments was made by a version before commit 9a05ed7c";
  await expect(migrationStatus(database.ownerUrl, schemas)).rejects.toThrow(message);
  await expect(dryRunMigrations(database.ownerUrl, schemas)).rejects.toThrow(message);
  await expect(migrate(database.ownerUrl, schemas)).rejects.toThrow(message);
  expect(await recorded()).toEqual(before);
});

test.each([
  ["ALTER TABLE catalog.topic ADD COLUMN color text", "it has topic color text"],
  ["ALTER TABLE catalog.topic DROP COLUMN assigned_to CASCADE", "it lacks topic assigned_to text"],
  ["ALTER TABLE catalog.fact ALTER COLUMN created_at TYPE timestamptz", "it lacks fact created_at timestamp(3) with"],
  ["CREATE TABLE catalog.note (id uuid NOT NULL)", "it has note id uuid NOT NULL"],
])("changed by hand: %s", async (statement, message) => {
  await recordHistory();
  await database.sql("DROP VIEW IF EXISTS reporting.topic_v1");
  await database.sql(statement);
  const before = await recorded();
  await expect(migrate(database.ownerUrl, schemas)).rejects.toThrow(message);
  expect(await recorded()).toEqual(before);
});
