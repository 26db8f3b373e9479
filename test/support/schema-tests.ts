import { ownerDataSource } from "@ems/kit/db/data-source";
import type { Schema } from "@ems/kit/db/schema";
import { expect, test } from "vitest";
import type { TestDatabase } from "./database.ts";
import { schemaDump } from "./schema-dump.ts";
import { tenancyFaults } from "./tenancy.ts";

/** Returns the changes that TypeORM would make to match the entities. */
export async function entityDrift({ superuserUrl }: TestDatabase, schema: Schema): Promise<string[]> {
  const dataSource = ownerDataSource(superuserUrl, schema);
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  return upQueries.map(({ query }) => query);
}

/** Tests of a service's schema; `file` is the checked-in dump, relative to the test's folder. */
export function testSchema(schema: Schema, database: TestDatabase, file: string): void {
  test("migrations make the schema that is checked in", async () => {
    await expect(await schemaDump(database.sql, schema.name)).toMatchFileSnapshot(file);
  });

  test("entities are as their tables", async () => {
    expect(await entityDrift(database, schema)).toEqual([]);
  });

  test("row-level security protects every table", async () => {
    expect(await tenancyFaults(database.sql, [schema.name])).toEqual([]);
  });
}
