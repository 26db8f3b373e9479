// Reports over days past the retention of their rows: sums give the same results as the rows did, or an error explains
// why the report is refused.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { keptSince } from "@ems/kit/retention";
import { QueryReportRequestSchema, ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { testCall, testTenant } from "@ems/test-support";
import { addTo, rollups } from "@ems/test-support/rollups";
import { beforeAll, expect, test } from "vitest";
import { reportingHarness } from "../../test/harness.ts";

type Query = Omit<MessageInitShape<typeof QueryReportRequestSchema>, "$typeName">;

const { database, tenant, client } = await reportingHarness();
const reporting = client(ReportingService);
const other = testTenant();
const days = 20;
const border = keptSince(new Date(), days);
const dayMs = 86_400_000;
const toDate = (daysFromBorder: number) =>
  new Date(border.getTime() + daysFromBorder * dayMs).toISOString().slice(0, 10);
const topics = [newId(), newId()];
const tasks = [newId(), newId(), newId()];
const definitions = [newId(), newId()];

/** Adds one result every hour and a half, over forty days around the retention border. */
const results = `
  SELECT experiments.add_months(array_agg(DISTINCT day::date)) FROM generate_series($3::timestamptz - interval '20 days',
    $3::timestamptz + interval '20 days', interval '1 day') day;`;
const insertTests = `
  INSERT INTO experiments.test (application_id, id, org_id, created_at, task_id, topic_id, run_id, run_type, status, passed, score_micro,
    duration_ms, definition_ids)
  SELECT $1, gen_random_uuid(), $2, $3::timestamptz + n * interval '90 minutes', ($4::uuid[])[1 + abs(n % 3)],
    ($5::uuid[])[nullif(abs(n % 4), 3)], '00000000-0000-4000-8000-000000000001', CASE WHEN n % 5 = 0 THEN 'MANUAL' ELSE 'SCHEDULED' END,
    CASE WHEN n % 7 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, CASE WHEN n % 11 <> 0 THEN n % 3 = 0 END, (n * 7919) % 1000000, abs(n * 37 % 5000), '{}'
  FROM generate_series(-320, 319) n`;
const insertEvaluations = `
  INSERT INTO experiments.evaluation (application_id, id, org_id, created_at, test_id, run_id, task_id, topic_id, definition_id,
    definition_type, status, passed, score_micro)
  SELECT t.application_id, gen_random_uuid(), t.org_id, t.created_at, t.id, t.run_id, t.task_id, t.topic_id, d.id, 'FACT', t.status,
    t.passed, abs(t.score_micro + d.at) FROM experiments.test t, unnest($1::uuid[]) WITH ORDINALITY d (id, at)`;

const insertTasks = `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
  SELECT $1, id, $2, 'Task', 'Description', 'NORMAL', 'ACTIVE', $4, $4 FROM unnest($3::uuid[]) id`;
const insertAnnotations = `
  INSERT INTO experiments.human_annotation (application_id, id, org_id, trace_id, test_id, task_id, topic_id, verdict, source, annotator_id,
    created_at, modified_at)
  SELECT t.application_id, gen_random_uuid(), t.org_id, gen_random_uuid(), t.id, t.task_id, t.topic_id, t.passed, 'TEST_PAGE', 'ada',
    t.created_at, t.created_at FROM experiments.test t WHERE t.application_id = $1 AND t.passed IS NOT NULL`;

beforeAll(async () => {
  for (const { applicationId, orgId } of [tenant, other]) {
    await database.sql(results.replaceAll("$3", `'${border.toISOString()}'`));
    await database.sql(insertTests, [applicationId, orgId, border, tasks, topics]);
  }
  await database.sql(insertTasks, [tenant.applicationId, tenant.orgId, tasks, toDate(-20)]);
  await database.sql(insertAnnotations, [tenant.applicationId]);
  await database.sql(insertEvaluations, [definitions]);
  await database.sql(addTo(rollups.taskStat, rollups.taskStat.source));
  await database.sql(addTo(rollups.taskRunType, rollups.taskRunType.source));
  await database.sql(addTo(rollups.testDay, rollups.testDay.source));
  await database.sql(addTo(rollups.evaluationDay, rollups.evaluationDay.source));
});

const query = async (request: Query, caller = tenant) => {
  const { data, pagination } = await reporting.queryReport(request, testCall(caller));
  return { results: data?.results, total: pagination?.total };
};
const value = (text: string) => ({ kind: { case: "stringValue" as const, value: text } });
const created = (operator: string, ...values: string[]) => ({
  type: "date",
  column: "createdAt",
  operator,
  value: values.map(value),
});
const equals = (column: string, text: string) => ({ type: "string", column, operator: "eq", value: [value(text)] });
const passed = {
  type: "boolean",
  column: "passed",
  operator: "eq",
  value: [{ kind: { case: "boolValue" as const, value: true } }],
};

const truncs = [undefined, "day", "week", "month", "quarter", "year"];
const columnSets = [[], ["topicId"], ["status"], ["topicId", "status"]];
const measurementSets = [
  [{ type: "count" }],
  [{ type: "avg", column: "score" }, { type: "count" }],
  ["sum", "min", "max"].map((type) => ({ type, column: "score" })),
  ["avg", "interval"].map((type) => ({ type, column: "passed" })),
];
const ranges = [
  [],
  [created("gte", toDate(-5))],
  [created("lt", toDate(3))],
  [created("lt", toDate(-9))],
  [created("between", toDate(-17), toDate(8))],
  [created("neq", toDate(-1))],
  [created("gte", toDate(-40)), created("lte", toDate(0))],
];
const filterSets = [[], [equals("status", "COMPLETED")], [equals("topicId", topics[0] ?? "")]];
const pick = <Value>(list: readonly Value[], number: number): Value => list[number % list.length] as Value;

/** Queries that sums of whole UTC days can answer. */
const answerable: Query[] = Array.from({ length: 168 }, (_, n) => {
  const dateTrunc = pick(truncs, Math.floor(n / 7));
  const byTime = dateTrunc === undefined ? [] : [{ column: "createdAt", type: "date", dateTrunc }];
  return {
    datasource: pick(["test", "eval"], n + Math.floor(n / 42)),
    timezone: "UTC",
    limit: 100,
    groupBy: [...byTime, ...pick(columnSets, n + Math.floor(n / 5)).map((column) => ({ column, type: "string" }))],
    measurements: pick(measurementSets, n + Math.floor(n / 11)),
    filters: [...pick(ranges, n), ...pick(filterSets, n + Math.floor(n / 13))],
  };
});

/** Queries over data without retention: tasks with sums of all their tests, and human reviews. */
const stored: Query[] = [
  { datasource: "task" },
  { datasource: "task", measurements: [{ type: "avg", column: "passRate" }, { type: "count" }] },
  {
    datasource: "task",
    filters: [equals("runType", "MANUAL")],
    measurements: [{ type: "avg", column: "passRate" }, { type: "count" }],
  },
  { datasource: "task", filters: [{ ...created("gte", toDate(1)), column: "lastTest" }] },
  { datasource: "human_annotation", limit: 100, filters: [created("lt", toDate(-2))] },
  {
    datasource: "human_annotation",
    groupBy: [{ column: "taskId", type: "string" }],
    measurements: [{ type: "avg", column: "verdict" }, { type: "count" }],
  },
  {
    datasource: "human_annotation",
    groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }],
    measurements: [{ type: "count" }],
    limit: 100,
    timezone: "Asia/Tokyo",
  },
].map((stored) => ({ timezone: "UTC", ...stored }));

const refused: readonly (readonly [string, Query, string])[] = [
  ["rows", { datasource: "test" }, "measurements"],
  ["a column without sums", { groupBy: [{ column: "taskId", type: "string" }] }, "groupBy.0.column"],
  [
    "a filter without sums",
    { measurements: [{ type: "count" }], filters: [equals("taskId", tasks[0] ?? "")] },
    "filters.0.column",
  ],
  [
    "scores of passed tests",
    { measurements: [{ type: "avg", column: "score" }], filters: [created("lt", toDate(2)), passed] },
    "filters.1.column",
  ],
  ["squares", { measurements: [{ type: "interval", column: "score" }] }, "measurements.0.column"],
  ["only unarchived tasks", { measurements: [{ type: "count" }], includeArchived: false }, "includeArchived"],
  [
    "hours",
    { groupBy: [{ column: "createdAt", type: "date", dateTrunc: "hour" }], filters: [created("gte", toDate(-2))] },
    "groupBy.0.dateTrunc",
  ],
  [
    "days of another zone",
    { timezone: "Asia/Tokyo", groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }] },
    "timezone",
  ],
  [
    "a part of a day",
    { measurements: [{ type: "count" }], filters: [created("gte", `${toDate(-3)}T12:00:00Z`)] },
    "filters.0.value",
  ],
];

test("sums give the same results as rows did, also across the border, and recent days are unchanged", async () => {
  const queries = [...answerable, ...stored];
  const young: Query[] = refused.map(([, request]) => {
    const filters = (request.filters ?? []).filter(({ column }) => column !== "createdAt");
    return { datasource: "test", timezone: "UTC", ...request, filters: [...filters, created("gte", toDate(1))] };
  });
  const before = [];
  for (const request of [...queries, ...young]) before.push(await query(request));
  const [all] = await Promise.all([query({ datasource: "test", timezone: "UTC" }, other)]);
  expect(all.total).toBe(640n);
  expect(await Promise.all(stored.map(async (request) => (await query(request)).total))).toEqual([
    3n,
    1n,
    1n,
    3n,
    261n,
    3n,
    41n,
  ]);

  await database.sql("INSERT INTO experiments.retention (kind, days) VALUES ('results', $1)", [days]);
  await database.sql("SELECT experiments.hide_expired()");
  for (const [at, request] of [...queries, ...young].entries()) {
    expect([request, await query(request)]).toEqual([request, before[at]]);
  }
  // The result is the same before and after the deletion.
  await database.sql("DELETE FROM experiments.evaluation WHERE created_at < $1 AND application_id = $2", [
    border,
    tenant.applicationId,
  ]);
  await database.sql("DELETE FROM experiments.test WHERE created_at < $1 AND application_id = $2", [
    border,
    tenant.applicationId,
  ]);
  for (const [at, request] of [...queries, ...young].entries()) {
    expect([request, await query(request)]).toEqual([request, before[at]]);
  }
}, 60_000);

test.each(refused)(
  "a report that needs %s before the border is refused, with the path and the first day that has rows",
  async (_, request, path) => {
    const requested = reporting.queryReport({ datasource: "test", timezone: "UTC", ...request }, testCall(tenant));
    const error = await requested.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: Code.InvalidArgument });
    const [issue] = issuesOfError(error as ConnectError, QueryReportRequestSchema);
    expect(issue?.path.join(".")).toBe(path);
    expect(issue?.message).toContain(`Rows exist from ${toDate(0)} on`);
  },
);

test("an application without data from the days before the border is answered by its rows", async () => {
  expect(await query({ datasource: "test", timezone: "UTC" }, testTenant())).toEqual({ results: [], total: 0n });
});
