// Row-level security in a migrated database, and evidence that the check finds a gap.

import { schemas } from "@ems/deploy/schemas";
import { runtimeRole } from "@ems/kit/db/schema";
import { tenancyFaults, testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());
const names = schemas.map(({ name }) => name);
/** Creates partitions; the product does this when results arrive. */
const month = "SELECT experiments.add_months('{2026-01-01}')";
const faults = () => tenancyFaults(database.sql, names);

test("every table of every service is walled in, partitions and views too", async () => {
  await database.sql(month);
  expect(await faults()).toEqual([]);
});

test.each([
  ["DROP POLICY tenant ON catalog.topic", 'topic: no policy "tenant" on its tenant column'],
  ["ALTER TABLE catalog.topic NO FORCE ROW LEVEL SECURITY", "topic: row-level security does not bind the owner"],
  ["ALTER TABLE identity.api_key DISABLE ROW LEVEL SECURITY", "api_key: row-level security is not enabled"],
  ["CREATE POLICY all_of_it ON catalog.task USING (true)", "task.all_of_it: unknown policy"],
  ["ALTER POLICY relay ON catalog.outbox TO ems_identity_relay", "outbox.relay: is for others than one relay role"],
  ["CREATE INDEX by_title ON catalog.topic (title)", "topic: by_title does not lead with application_id"],
  ["CREATE TABLE catalog.bare (application_id uuid PRIMARY KEY)", "bare: row-level security is not enabled"],
  [`${month}; DROP POLICY tenant ON experiments.test_2026_01`, 'test_2026_01: no policy "tenant" on its tenant column'],
  [
    `${month}; ALTER TABLE experiments.evaluation_2026_01 DISABLE ROW LEVEL SECURITY`,
    "evaluation_2026_01: row-level security is not enabled",
  ],
  [
    `${month}; GRANT SELECT ON experiments.test_2026_01 TO ems_experiments`,
    "test_2026_01: ems_experiments may reach the partition past its table",
  ],
  [
    "ALTER TABLE experiments.test NO FORCE ROW LEVEL SECURITY",
    "test_v1: reads test, whose row-level security does not bind the owner",
  ],
  ["ALTER VIEW reporting.tag_v1 OWNER TO CURRENT_USER", "tag_v1: row-level security does not bind its owner"],
  ["CREATE VIEW reporting.ids AS SELECT id FROM catalog.topic", "ids: does not tell the application of a row"],
  [
    "CREATE MATERIALIZED VIEW reporting.kept AS SELECT application_id FROM catalog.topic",
    "kept: holds rows, but cannot have row-level security",
  ],
])("%s is found", async (statement, fault) => {
  const holed = await testDatabase(inject("postgres"));
  try {
    await holed.sql(statement);
    expect(await tenancyFaults(holed.sql, names)).toContain(fault);
  } finally {
    await holed.drop();
  }
});

/** Tables that services publish to services other than reporting. */
const published: Readonly<Record<string, readonly string[]>> = {
  catalog: ["reporting.task_day_v1", "reporting.task_definition_day_v1", "reporting.task_stat_v1"],
};

test("runtime roles cannot change schemas, read other services' tables or pass row-level security", async () => {
  const roles = await database.sql(
    "SELECT rolname FROM pg_roles WHERE rolname LIKE 'ems\\_%' AND (rolsuper OR rolbypassrls OR rolcreaterole)",
  );
  expect(roles).toEqual([]);
  for (const schema of schemas) {
    const role = runtimeRole(schema);
    const reach = await database.sql<{ table: string }>(
      `SELECT n.nspname || '.' || c.relname AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ANY ($1) AND n.nspname <> $2 AND c.relkind IN ('r', 'p', 'v')
         AND has_table_privilege($3, c.oid, 'SELECT') AND has_schema_privilege($3, n.oid, 'USAGE')`,
      [names, schema.name, role],
    );
    expect(reach.map(({ table }) => table).sort()).toEqual(published[schema.name] ?? []);
    expect(await database.sql("SELECT has_schema_privilege($1, $2, 'CREATE') AS may", [role, schema.name])).toEqual([
      { may: false },
    ]);
  }
});
