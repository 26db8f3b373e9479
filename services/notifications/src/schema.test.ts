import { ownerDataSource } from "@ems/kit/db/data-source";
import { tenancyFaults } from "@ems/test-support";
import { expect, test } from "vitest";
import { notificationsHarness } from "../test/harness.ts";
import { notificationsSchema } from "./schema.ts";

const { database } = await notificationsHarness();

test("entities and migrations tell the same tables", async () => {
  const dataSource = ownerDataSource(database.superuserUrl, notificationsSchema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test("every table is walled in by row-level security", async () => {
  expect(await tenancyFaults(database.sql, ["notifications"])).toEqual([]);
});
