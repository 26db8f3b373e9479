// If rows are only in ClickHouse and CLICKHOUSE_URL is not set, only the reports about such rows are refused.

import { Code } from "@ems/kit/errors";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { testCall, testDatabase, testTenant } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { reportingHarness } from "../../test/harness.ts";

const [database, mine] = [await testDatabase(inject("postgres")), testTenant()];
afterAll(() => database.drop());
await database.sql(
  `INSERT INTO experiments.archive_batch (application_id, kind, starts, ends, state)
   VALUES ($1, 'results', 'epoch', '2026-06-01Z', 'dropped')`,
  [mine.applicationId],
);
const { client } = await reportingHarness({}, database);

test("without CLICKHOUSE_URL, reports that need archived rows get 503, and all others are answered", async () => {
  const query = (day: string, by = mine) => {
    const value = [{ kind: { case: "stringValue" as const, value: day } }];
    const filters = [{ type: "date", column: "createdAt", operator: "gte", value }];
    return client(ReportingService).queryReport({ datasource: "test", timezone: "UTC", filters }, testCall(by));
  };
  await expect(query("2026-05-31")).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await query("2026-06-01")).pagination?.total).toBe(0n);
  expect((await query("2026-05-31", testTenant())).pagination?.total).toBe(0n);
});
