import { ownerDataSource } from "@ems/kit/db/data-source";
import { tenancyFaults } from "@ems/kit/testing";
import { expect, test } from "vitest";
import { experimentsSchema } from "./schema.ts";
import { experimentsRig } from "./testing.ts";

const { database } = await experimentsRig();

test("entities and migrations tell the same tables", async () => {
  const dataSource = ownerDataSource(database.superuserUrl, experimentsSchema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test("every table is walled in by row-level security", async () => {
  expect(await tenancyFaults(database.sql, ["experiments"])).toEqual([]);
});
