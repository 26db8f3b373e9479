import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { otherTables, transferredTables } from "./tables.ts";

const harness = await experimentsHarness();

test("each table of experiments is transferred, or named with those that are not", async () => {
  const rows = await harness.database.sql(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'experiments'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const transferred = transferredTables.map(({ table }) => table);
  expect([...transferred, ...otherTables].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
