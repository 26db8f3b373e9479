import { ownerDataSource } from "@ems/kit/db/data-source";
import { tenancyFaults } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../test/harness.ts";
import { experimentsSchema } from "./schema.ts";

const { database } = await experimentsHarness();

// Partitions are made when results come.
await database.sql("SELECT experiments.add_months('{2026-01-01}')");

const drift = async () => {
  const dataSource = ownerDataSource(database.superuserUrl, experimentsSchema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  return upQueries.map(({ query }) => query);
};

test("entities and migrations tell the same tables, partitioned ones too", async () => {
  expect(await drift()).toEqual([]);
  await database.sql("ALTER TABLE experiments.test DROP COLUMN definition_ids; DROP INDEX experiments.evaluation_test");
  const queries = await drift();
  expect(queries.join("\n")).toMatch(/ADD "definition_ids" uuid array[\s\S]*CREATE INDEX "evaluation_test"/);
});

test("every table is walled in by row-level security", async () => {
  expect(await tenancyFaults(database.sql, ["experiments"])).toEqual([]);
});
