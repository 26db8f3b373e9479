import { ownerDataSource } from "@ems/kit/db/data-source";
import { tenancyFaults } from "@ems/test-support";
import { expect, test } from "vitest";
import { identityHarness } from "../test/harness.ts";
import { identitySchema } from "./schema.ts";

const { database } = await identityHarness();

test("entities and migrations tell the same tables", async () => {
  const dataSource = ownerDataSource(database.superuserUrl, identitySchema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test("every table is walled in by row-level security", async () => {
  expect(await tenancyFaults(database.sql, ["identity"])).toEqual([]);
});
