// Reports while ClickHouse is unavailable, over rows past retention, and above the limits of archive reads.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { archiveClient, archiveConfig } from "@ems/archive";
import { readConfig } from "@ems/kit/config";
import { Code, type ConnectError } from "@ems/kit/errors";
import { issuesOfError } from "@ems/kit/json/violations";
import { QueryReportRequestSchema, ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testCall, testClickhouse, testTenant } from "@ems/test-support";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { modelSize } from "./compare.ts";
import { computeRollups, insertModel, unboundedTables } from "./insert.ts";
import { seededRandom } from "./random.ts";
import { randomModel } from "./reference-model.ts";
import { createArchive, emptyArchive, equalBatches, split } from "./splits.ts";

type Query = Omit<MessageInitShape<typeof QueryReportRequestSchema>, "$typeName">;

const clickhouse = await testClickhouse();
const config = readConfig(archiveConfig, clickhouse.env);
const { database, client } = await serviceHarness({
  schema: reportingSchema,
  config: reportingConfig,
  build: createReporting,
  env: { DATABASE_POOL_MAX: "4", ...clickhouse.env },
});
const reporting = client(ReportingService);
const tenant = testTenant();
const random = seededRandom(1);
const model = randomModel(tenant, random, { years: [2022, 2026], ...modelSize });
/** Batches: the first half is dropped from PostgreSQL, the second is only published. */
const batches = equalBatches(model, ["dropped", "published"]);
const border = batches[1]?.from ?? 0;
const dayMs = 86_400_000;
const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);

beforeAll(async () => {
  await createArchive(config);
  await database.sql(unboundedTables);
  await insertModel(database, model.tables);
  await database.sql(computeRollups);
});
beforeEach(async () => {
  await emptyArchive(config);
  await split({ database, config }, { tenant, model }, batches, random);
});

const report = async (query: Query, caller = tenant) => {
  const { data, pagination } = await reporting.queryReport(
    { datasource: "eval", timezone: "UTC", limit: 100, ...query },
    testCall(caller),
  );
  return { results: data?.results, total: pagination?.total };
};
const refused = async (query: Query) =>
  (await report(query).then(
    () => expect.fail("answered"),
    (error: unknown) => error,
  )) as ConnectError;
const value = (text: string) => ({ kind: { case: "stringValue" as const, value: text } });
const created = (operator: string, ...moments: string[]) => ({
  type: "date",
  column: "createdAt",
  operator,
  value: moments.map(value),
});
const since = (ms: number) => created("gte", date(ms));
const byTask = { groupBy: [{ column: "taskId", type: "string" }], measurements: [{ type: "avg", column: "score" }] };
const byMonth = { groupBy: [{ column: "createdAt", type: "date", dateTrunc: "month" }] };

test("without ClickHouse PostgreSQL answers all but what is dropped, which is unavailable until a retry", async () => {
  if (!clickhouse.isOurs) return;
  const answerable: Query[] = [
    { ...byTask, filters: [since(border + dayMs)] },
    { orderBy: [{ column: "score", direction: "asc" }], filters: [since(border + dayMs)] },
    // From rollups: of all time, and of days in another zone that PostgreSQL still has.
    byMonth,
    { ...byMonth, timezone: "Asia/Tokyo", filters: [since(border + 40 * dayMs)] },
    // The newest rows are not dropped.
    { limit: 5 },
    { datasource: "task" },
    { datasource: "human_annotation", limit: 5 },
  ];
  const further: Query[] = [
    byTask,
    { ...byMonth, timezone: "Asia/Tokyo" },
    { orderBy: [{ column: "score", direction: "asc" }] },
  ];
  const before = [];
  for (const query of [...answerable, ...further]) before.push(await report(query));
  await clickhouse.kill();
  try {
    for (const [at, query] of answerable.entries()) expect([query, await report(query)]).toEqual([query, before[at]]);
    for (const query of further) {
      const error = await refused(query);
      expect(error).toMatchObject({ code: Code.Unavailable, rawMessage: "The archive is unavailable" });
      expect(Number(error.metadata.get("retry-after"))).toBeGreaterThan(0);
    }
  } finally {
    await clickhouse.start();
  }
  for (const [at, query] of further.entries()) expect(await report(query)).toEqual(before[answerable.length + at]);
});

test("parts of days that are dropped are added to sums of days, and subtracted", async () => {
  const counted = { measurements: [{ type: "count" }, { type: "avg", column: "score" }] };
  const queries: Query[] = ["Asia/Tokyo", "America/St_Johns", "Europe/Copenhagen", "UTC"].flatMap((timezone) => [
    { ...byMonth, ...counted, timezone },
    { ...byMonth, ...counted, timezone, filters: [created("lt", `${date(border)}T05:00:00Z`)] },
    { ...counted, timezone, filters: [created("gte", `${date(border - 300 * dayMs)}T18:00:00Z`)] },
  ]);
  await database.sql("DELETE FROM experiments.archive_batch");
  await split({ database, config }, { tenant, model }, [], random);
  const before = [];
  for (const query of queries) before.push(await report(query));
  await emptyArchive(config);
  await split({ database, config }, { tenant, model }, equalBatches(model, ["dropped"]), random);
  for (const [at, query] of queries.entries()) expect([query, await report(query)]).toEqual([query, before[at]]);
});

test("another application has none of it", async () => {
  expect(await report({}, testTenant())).toEqual({ results: [], total: 0n });
});

test("what is past retention is not read from the archive either, and parts of later days are", async () => {
  const dropped = equalBatches(model, ["dropped"]);
  await emptyArchive(config);
  await split({ database, config }, { tenant, model }, dropped, random);
  const days = Math.round((Date.now() - border) / dayMs);
  const first = Math.floor(Date.now() / dayMs - days + 1) * dayMs;
  const queries: Query[] = [
    { ...byTask, filters: [since(first)] },
    { filters: [since(first)] },
    { measurements: [{ type: "count" }], filters: [created("lt", `${date(first + 100 * dayMs)}T12:00:00Z`)] },
    byMonth,
  ];
  const before = [];
  for (const query of queries) before.push(await report(query));
  await database.sql("INSERT INTO experiments.retention (kind, days) VALUES ('results', $1)", [days]);
  await database.sql("SELECT experiments.hide_expired()");
  try {
    for (const [at, query] of queries.entries()) expect([query, await report(query)]).toEqual([query, before[at]]);
    expect(await refused(byTask)).toMatchObject({ code: Code.InvalidArgument });
  } finally {
    await database.sql("DELETE FROM experiments.retention");
  }
});

test("more groups, or a deeper page, than a report takes of the archive are refused with the path", async () => {
  const server = archiveClient(config, config.CLICKHOUSE_DATABASE);
  const insert = `INSERT INTO evaluation (application_id, created_at, id, test_id, batch)
    SELECT toUUID({application:String}), fromUnixTimestamp64Milli({from:Int64}, 'UTC'), generateUUIDv4(number), generateUUIDv4(-number), 1
    FROM numbers(300000)`;
  await server?.command({
    query: insert,
    query_params: { application: tenant.applicationId, from: border - 1 },
  });
  await server?.close();
  const byId: Query = { groupBy: [{ column: "testId", type: "string" }] };
  const deep: Query = { orderBy: [{ column: "score", direction: "asc" }], skip: 260_000n };
  for (const [query, path] of [
    [byId, "groupBy"],
    [deep, "skip"],
  ] as const) {
    const error = await refused(query);
    expect(error.code).toBe(Code.InvalidArgument);
    const [issue] = issuesOfError(error, QueryReportRequestSchema);
    expect(issue?.path.join(".")).toBe(path);
  }
  expect((await report({ ...deep, skip: 100_000n })).results).toHaveLength(100);
  expect((await report({ ...byId, filters: [since(border + dayMs)] })).results?.length).toBeGreaterThan(10);
});
