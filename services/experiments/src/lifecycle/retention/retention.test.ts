// Results past their retention are hidden immediately, and deleted in batches and by month; their sums are kept.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { beginDeletion, keptSince } from "@ems/kit/retention";
import { metricsText } from "@ems/kit/telemetry/metrics";
import type { Tenant } from "@ems/kit/tenant";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { experimentsSchema } from "../../schema.ts";
import { lastOfBatch } from "./delete-oldest.ts";
import { resultsRetention } from "./index.ts";

const days = 30;
const { client, clock, database, tenant } = await experimentsHarness({
  RETENTION_DAYS_TRACES: String(days),
  RETENTION_DAYS_RESULTS: String(days),
});
const log = createLog("retention", "silent");
const source = serviceDataSource({
  url: database.getUrl(experimentsSchema),
  poolMax: 4,
  schema: experimentsSchema,
  log,
});
await source.initialize();
const relayDatabase = new RelayDatabase({
  schema: experimentsSchema,
  url: database.getRelayUrl(experimentsSchema),
  poolMax: 2,
  log,
});
afterAll(async () => {
  await relayDatabase.close();
  await source.destroy();
});
const deps = { database: new Database(source), relayDatabase, clock, log, expireArchived: async () => 0 };
const retention = resultsRetention(days, deps);

const tests = client(TestService);
const other = testTenant();
const now = new Date();
const border = keptSince(now, days);
const setClock = (at: Date) => clock.advance(at.getTime() - clock.now().getTime());
const dayMs = 86_400_000;

/** Adds a run of 3 tests with 2 evaluations each, created at the given time. */
async function add(at: Date, by: Tenant = tenant) {
  setClock(at);
  const evaluations = [newId(), newId()].map((definitionId) => ({ definitionId, passed: true, score: 0.5 }));
  const newTests = [1, 2, 3].map((number) => ({ taskId: newId(), passed: number > 1, score: number / 4, evaluations }));
  const { run, testIds } = await tests.recordResults({ tests: newTests }, testCall(by));
  return { runId: run?.id ?? "", testIds };
}

const readRows = async (table: string, by: Tenant = tenant) => {
  const [row] = await database.sql<{ number: number }>(
    `SELECT count(*)::int AS number FROM experiments.${table} WHERE application_id = $1`,
    [by.applicationId],
  );
  return row?.number;
};
const allRows = (by: Tenant = tenant) => Promise.all(["test", "evaluation"].map((table) => readRows(table, by)));
const totals = async (by: Tenant = tenant) => {
  const listed = await Promise.all([
    tests.listTests({}, testCall(by)),
    client(EvaluationService).listEvaluations({}, testCall(by)),
  ]);
  return listed.flatMap(({ data, pagination }) => [data.length, Number(pagination?.total)]);
};
const sums = () =>
  database.sql(
    "SELECT * FROM experiments.test_day WHERE application_id = $1 ORDER BY day, topic_id, run_type, status",
    [tenant.applicationId],
  );
const counted = async (by: Tenant = tenant) => {
  const rows = await database.sql<{ bits: number; rows: number }>(
    `SELECT bits, sum(rows)::int AS rows FROM experiments.test_count WHERE application_id = $1 GROUP BY bits ORDER BY bits`,
    [by.applicationId],
  );
  return rows.map(({ rows }) => rows);
};
const months = () =>
  database.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'experiments'::regnamespace AND relkind = 'r'
       AND relname ~ '(test|evaluation)_[0-9]{4}_[0-9]{2}$' AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= $1`,
    [border],
  );

/** Adds three current results of a new application. */
const addLater = async () =>
  (await tests.recordResults({ tests: [1, 2, 3].map(() => ({ taskId: newId() })) }, testCall(testTenant()))).count;

type Added = Awaited<ReturnType<typeof add>>;
let [ancient, old, young, foreign]: Added[] = [];
let sumsBefore: unknown;

beforeAll(async () => {
  // The service hides rows by the database's clock and deletes them by its own; the tests add old rows in between.
  const policies = () =>
    database.sql("SELECT FROM pg_policies WHERE policyname = 'kept' AND schemaname = 'experiments'");
  const cleared = () =>
    database.sql("SELECT FROM experiments.retention WHERE kind = 'results' AND cleared_before > '-infinity'");
  await vi.waitFor(async () => expect(await cleared()).toHaveLength(1), { timeout: 20_000 });
  for (const table of ["test", "evaluation"]) await database.sql(`DROP POLICY kept ON experiments.${table}`);
  ancient = await add(new Date(border.getTime() - 60 * dayMs));
  old = await add(new Date(border.getTime() - 1));
  foreign = await add(new Date(border.getTime() - 1), other);
  young = await add(border);
  await add(border, other);
  setClock(new Date(border.getTime() - 90 * dayMs));
  await retention.run();
  setClock(now);
  expect(await policies()).toHaveLength(2);
  sumsBefore = await sums();
}, 60_000);

test("from midnight on, expired results are hidden, deleted or not, and totals exclude them", async () => {
  expect(await allRows()).toEqual([9, 18]);
  expect(await totals()).toEqual([3, 3, 6, 6]);
  expect(await totals(other)).toEqual([3, 3, 6, 6]);
  await expect(tests.getTest({ id: old?.testIds[0] ?? "" }, testCall(tenant))).rejects.toMatchObject({
    code: Code.NotFound,
  });
});

test("results of an expired day are refused", async () => {
  const createdAt = { seconds: BigInt(border.getTime() / 1_000 - 1), nanos: 0 };
  const record = tests.recordResults({ tests: [{ taskId: newId(), createdAt }] }, testCall(tenant));
  await expect(record).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("runs keep their sums; comparing a run with deleted results is refused", async () => {
  const runs = client(RunService);
  const { run } = await runs.getRun({ id: ancient?.runId ?? "" }, testCall(tenant));
  expect(run).toMatchObject({ progress: { total: 3n } });
  const compare = runs.compareRuns({ a: ancient?.runId ?? "", b: young?.runId ?? "" }, testCall(tenant));
  await expect(compare).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("dropping a month waits for its readers, and writers do not wait", async () => {
  const ofTests = async () => (await months()).filter(({ name }) => name.startsWith("test_")).length;
  const before = await ofTests();
  const reader = new pg.Client({ connectionString: database.superuserUrl });
  await reader.connect();
  try {
    await reader.query("BEGIN; SELECT FROM experiments.test");
    const [, written] = await Promise.all([retention.run(), addLater()]);
    expect([written, await ofTests()]).toEqual([3n, before]);
  } finally {
    await reader.end();
  }
});

test("batches use the index on time", async () => {
  const explain = (text: string) =>
    new Database(source).withScope({ applicationId: tenant.applicationId }, Date.now() + 10_000, async (tx) => {
      tx.defer(beginDeletion);
      const plan = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [tenant.applicationId, border, null]);
      return plan.map((line) => line["QUERY PLAN"]).join(" ");
    });
  expect(await explain(lastOfBatch)).not.toContain("Seq Scan");
});

test("a batch that a stopped process left is deleted by the next one", async () => {
  expect((await months()).length).toBeGreaterThan(0);
  const stopping = new AbortController();
  const stopped = retention.run(stopping.signal);
  stopping.abort();
  await stopped;
  expect(await totals()).toEqual([3, 3, 6, 6]);
  await relayDatabase.query({ text: "SELECT experiments.detach_expired('results', now())" });
  await retention.run();
  expect(await allRows()).toEqual([3, 6]);
  expect(await allRows(other)).toEqual([3, 6]);
});

test("whole months are dropped; counts and totals match the remaining rows, and sums do not change", async () => {
  expect(await months()).toEqual([]);
  expect([await counted(), await counted(other)]).toEqual([
    [3, 3, 3],
    [3, 3, 3],
  ]);
  expect(await totals()).toEqual([3, 3, 6, 6]);
  expect(await sums()).toEqual(sumsBefore);
  expect(foreign?.testIds).toHaveLength(3);
});

test("deleted rows are counted once", async () => {
  const states = () =>
    database.sql(`SELECT kind, days, deleted::int, cleared_before FROM experiments.retention ORDER BY 1`);
  const before = await states();
  expect(before).toContainEqual({ kind: "results", days, deleted: 27, cleared_before: border });
  await retention.run();
  expect(await states()).toEqual(before);
});

test("users see the retention of traces and results, and the date since which they are kept", async () => {
  const { tracesDays, resultsSince } = await client(ExecutionService).getExecutionSettings({}, testCall(tenant));
  expect([tracesDays, resultsSince && timestampDate(resultsSince)]).toEqual([days, border]);
});

test("a day later the next day is deleted; a longer retention restores nothing", async () => {
  setClock(new Date(now.getTime() + dayMs));
  const [, lag] =
    /^ems_retention_lag_seconds{part="experiments",kind="results"} (\S+)$/m.exec(await metricsText()) ?? [];
  expect(Number(lag)).toBeGreaterThan(0);
  await retention.run();
  expect(await allRows()).toEqual([0, 0]);
  const longer = resultsRetention(90, deps);
  await longer.run();
  expect(longer.since("results")).toEqual(new Date(border.getTime() + dayMs));
});
