// A database of the commit before the baseline continues from it; an older or manually changed one stays unchanged.

import { schemas } from "@ems/deploy/schemas";
import { dryRunMigrations, migrate, migrationStatus } from "@ems/kit/db/migrate";
import { provisionDatabase } from "@ems/kit/db/provision";
import { migrationName } from "@ems/kit/db/schema";
import { testDatabase } from "@ems/test-support";
import { afterEach, expect, inject, test } from "vitest";

/** Schemas that already existed before the baseline. */
const replaced = schemas.filter((schema) => schema.replaced !== undefined);
const baselines = replaced.map(({ name, migrations: [first] }) => `${name}: ${first && migrationName(first)}`);
const later = schemas.flatMap(({ name, migrations, replaced: old }) =>
  migrations.slice(old === undefined ? 0 : 1).map((each) => `${name}: ${migrationName(each)}`),
);

/** Creates a database that contains only the baselines of these schemas. */
async function baselineDatabase() {
  const postgres = inject("postgres");
  const made = await testDatabase({ ...postgres, template: "template1" });
  // Roles belong to the whole server: other tests change them at the same time.
  const provision = () => provisionDatabase(made.superuserUrl, schemas, postgres.passwords);
  await provision().catch(() => provision());
  await migrate(
    made.ownerUrl,
    replaced.map((schema) => ({ ...schema, migrations: schema.migrations.slice(0, 1) })),
  );
  return made;
}
let database = await baselineDatabase();

afterEach(async () => {
  await database.drop();
  database = await baselineDatabase();
});

/** Records the migrations before the baseline as completed, except those that `isKept` excludes. */
async function recordHistory(isKept: (name: string) => boolean = () => true): Promise<void> {
  for (const { name, replaced: old } of replaced) {
    const names = ["CreateSomething1763710000000", old?.newest ?? ""].filter(isKept);
    await database.sql(`DELETE FROM ${name}.migration`);
    for (const each of names)
      await database.sql(`INSERT INTO ${name}.migration (timestamp, name) VALUES ($1, $2)`, [each.slice(-13), each]);
  }
}

const recorded = () =>
  database.sql(
    replaced.map(({ name }) => `SELECT '${name}' AS schema, name FROM ${name}.migration`).join(" UNION ALL "),
  );

test("a database of the commit before records the baseline, once, and goes on from it", async () => {
  await recordHistory();
  const before = await recorded();
  const states = async () => (await migrationStatus(database.ownerUrl, schemas)).map(({ state }) => state);
  expect(new Set(await states())).toEqual(new Set(["pending"]));
  expect(await dryRunMigrations(database.ownerUrl, schemas)).toEqual([...baselines, ...later]);
  expect(await recorded()).toEqual(before);

  expect(await migrate(database.ownerUrl, schemas)).toEqual([...baselines, ...later]);
  expect(await migrate(database.ownerUrl, schemas)).toEqual([]);
  expect(new Set(await states())).toEqual(new Set(["done"]));
  // Processes of that commit run until they are replaced, and must find their newest migration.
  expect(await recorded()).toEqual(expect.arrayContaining(before));
});

test("an older database is refused, with the commit whose migrations it needs first", async () => {
  await recordHistory((name) => !name.startsWith("ReportEstimatedTokens"));
  const before = await recorded();
  const message = "The schema experiments is older than commit 9a05ed7c";
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
