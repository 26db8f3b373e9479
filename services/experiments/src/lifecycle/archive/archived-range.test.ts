// Archived ranges of an application, as code that reads the archive receives them.

import { type ArchivedRanges, type ArchiveKind, buildRangesStatement } from "@ems/archive";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { createLog } from "@ems/kit/log";
import { testDatabase, testTenant } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { getSchema, rangeViews } from "../../../test/archive-parts.ts";
import { experimentsSchema } from "../../schema.ts";

const [database, tenant] = [await testDatabase(inject("postgres")), testTenant()];
const source = await serviceDataSource({
  url: database.getUrl(experimentsSchema),
  poolMax: 1,
  schema: experimentsSchema,
  log: createLog("experiments", "silent"),
}).initialize();
afterAll(async () => {
  await source.destroy();
  await database.drop();
});
/** Late enough that retention hides none of the rows. */
const start = Date.UTC(2026, 9, 1);

async function readRange(kind: ArchiveKind, { applicationId } = tenant): Promise<ArchivedRanges | undefined> {
  const statement = buildRangesStatement(rangeViews[kind], applicationId, kind);
  const [range] = await new Database(source).readScoped<ArchivedRanges>(
    { applicationId },
    Date.now() + 10_000,
    statement,
  );
  return range;
}

const kinds = ["results", "traces"] as const;

test.each(kinds)("the archived range of %s merges adjacent intervals and hides the other batches", async (kind) => {
  const rows = [
    [1, 0, 10, "dropped"],
    [7, 0, 10, "withdrawn"],
    [2, 10, 20, "dropped"],
    [3, 20, 30, "published"],
    [4, 30, 40, "open"],
    [5, 40, 50, "published"],
    [6, 50, 60, "restored"],
    [8, 60, 70, "dropped"],
  ] as const;
  for (const [number, from, to, state] of rows) {
    await database.sql(
      `INSERT INTO ${getSchema(kind)}.archive_batch (application_id, kind, number, starts, ends, state)
        OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)`,
      [tenant.applicationId, kind, number, new Date(start + from), new Date(start + to), state],
    );
  }
  expect(await readRange(kind)).toEqual({
    intervals: [
      { from: start, to: start + 20 },
      { from: start + 60, to: start + 70 },
    ],
    hidden: [7, 3, 4, 5, 6],
    upTo: 8,
  });
});

test.each(kinds)(
  "without batches of %s nothing is archived, and other applications' batches are hidden",
  async (kind) => {
    expect(await readRange(kind, testTenant())).toEqual({ intervals: [], hidden: [], upTo: 0 });
  },
);
