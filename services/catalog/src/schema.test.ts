import { ownerDataSource } from "@ems/kit/db/data-source";
import { tenancyFaults } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../test/harness.ts";
import { catalogSchema } from "./schema.ts";

const { database } = await catalogHarness();

test("entities and migrations tell the same tables", async () => {
  const dataSource = ownerDataSource(database.superuserUrl, catalogSchema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test("every table is walled in by row-level security", async () => {
  expect(await tenancyFaults(database.sql, ["catalog"])).toEqual([]);
});
