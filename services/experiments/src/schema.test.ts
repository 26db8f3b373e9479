import { entityDrift, testSchema } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../test/harness.ts";
import { experimentsSchema } from "./schema.ts";

const { database } = await experimentsHarness();

// The service creates partitions when results arrive.
await database.sql("SELECT experiments.add_months('{2026-01-01}')");

testSchema(experimentsSchema, database, "../schema.txt");

test("drift of a partitioned table is found", async () => {
  await database.sql(
    "ALTER TABLE experiments.test DROP COLUMN definition_ids CASCADE; DROP INDEX experiments.evaluation_test",
  );
  const queries = await entityDrift(database, experimentsSchema);
  expect(queries.join("\n")).toMatch(/ADD "definition_ids" uuid array[\s\S]*CREATE INDEX "evaluation_test"/);
});
