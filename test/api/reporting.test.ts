// Reports on data created through the API: their shape, days of a time zone, and agreement with the lists.

import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const zone = "Europe/Copenhagen";
const query = (body: object) => api.post("/v0/reporting/query", { timezone: zone, ...body });
const results = async (body: object) => (await query(body)).body.data.results;

/** Last Sunday of October of last year: at 01:00 UTC, clocks in Copenhagen go back from 3 to 2. */
const lastYear = new Date().getUTCFullYear() - 1;
const sunday = new Date(Date.UTC(lastYear, 10, 0));
sunday.setUTCDate(sunday.getUTCDate() - sunday.getUTCDay());
const at = (hours: number) => new Date(sunday.getTime() + hours * 3_600_000).toISOString();
const day = at(0).slice(0, 10);

const newTask = async (title: string, topicId?: string) =>
  (await api.post("/v0/tasks", { title, description: title, ...(topicId !== undefined && { topicId }) })).body.task.id;
const newTopic = async (title: string) => (await api.post("/v0/topics", { title })).body.data.id;

const cards = await newTopic("Cards");
const old = await newTopic("Old");
const block = await newTask("Block a card", cards);
const lost = await newTask("A lost card", old);
const loose = await newTask("Without a topic");
const fact = (await api.post("/v0/definitions", { type: "FACT", name: "Facts" })).body.data.id;

// In Copenhagen: the last hour of Saturday, both hours from 2 to 3 of Sunday, its last hour, the first of Monday.
const hours = [-2.5, 0.5, 1.5, 22.5, 23.5];
beforeAll(async () => {
  const tests = hours.map((hour, index) => ({
    taskId: index === 4 ? loose : index === 3 ? lost : block,
    createdAt: at(hour),
    score: index / 10,
    passed: index > 2,
    durationMs: 100 * index,
    status: index === 0 ? "FAILED" : "COMPLETED",
    evaluations: [{ definitionId: fact, score: 0.25 * index, passed: true }],
  }));
  const answer = await api.post("/v0/tests/results", { tests });
  expect(answer.status).toBe(201);
  await api.post(`/v0/topics/${old}/archive`, { cascade: true });
});

const noUsage = {
  cost: null,
  unpricedSteps: null,
  inputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
};

test("rows have every column, references with their names, the newest first", async () => {
  const { status, body } = await query({ datasource: "test", limit: 2 });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["data", "pagination"]);
  expect(body.pagination).toEqual({ skip: 0, limit: 2, total: 5, totalPages: 3 });
  const fields = ["datasource", "columns", "results", "visualization", "unreliableDefinitions"];
  expect(Object.keys(body.data)).toEqual(fields);
  expect(body.data.columns.slice(0, 4)).toEqual([
    { id: "id", name: "Test ID", type: "string" },
    { id: "orgId", name: "Organization ID", type: "string" },
    { id: "applicationId", name: "Application ID", type: "string" },
    { id: "taskId", name: "Task", type: "string" },
  ]);
  expect(body.data.results).toMatchObject([{ taskId: { id: loose } }, { taskId: { id: lost } }]);
  expect(body.data.results[1]).toEqual({
    id: expect.any(String),
    orgId,
    applicationId,
    taskId: { id: lost, name: "A lost card" },
    topicId: { id: old, name: "Old" },
    runId: expect.any(String),
    runType: "MANUAL",
    status: "COMPLETED",
    score: 0.3,
    passed: true,
    outcome: "PASSED",
    errored: false,
    errorCause: null,
    durationMs: 300,
    ...noUsage,
    createdAt: at(22.5),
    modifiedAt: at(22.5),
  });
  expect(body.data.results[0].topicId).toBeNull();
  expect(body.data.visualization).toEqual({
    compatibleCharts: ["table"],
    recommendedChart: "table",
    fieldMapping: { measures: [], x: null, series: null },
  });
});

test("groups have what they are grouped by and their measurements, and say how to draw them", async () => {
  const { status, body } = await query({
    datasource: "eval",
    groupBy: [
      { column: "createdAt", type: "date", dateTrunc: "day" },
      { column: "definitionId", type: "string" },
    ],
    measurements: [{ type: "count" }, { type: "avg", column: "score" }, { type: "sum", column: "passed" }],
  });
  expect(status).toBe(200);
  const definitionId = { id: fact, name: "Facts" };
  expect(body.data.results).toEqual([
    { createdAt: at(-26), definitionId, count: 1, avg_score: 0, sum_passed: 1 },
    { createdAt: at(-2), definitionId, count: 3, avg_score: 0.5, sum_passed: 3 },
    { createdAt: at(23), definitionId, count: 1, avg_score: 1, sum_passed: 1 },
  ]);
  expect(body.data.columns).toEqual([
    { id: "createdAt", name: "Created Date", type: "date" },
    { id: "definitionId", name: "Evaluation Definition", type: "string" },
    { id: "count", name: "Count", type: "number" },
    { id: "avg_score", name: "Average Score", type: "number" },
    { id: "sum_passed", name: "Sum of Passed", type: "number" },
  ]);
  expect(body.data.visualization).toEqual({
    compatibleCharts: ["line", "table"],
    recommendedChart: "line",
    fieldMapping: { measures: ["count", "avg_score", "sum_passed"], x: "createdAt", series: "definitionId" },
  });
  expect(body.pagination).toEqual({ skip: 0, limit: 25, total: 3, totalPages: 1 });
});

describe("dates are those of the time zone", () => {
  const readHours = async (filter: object, timezone = zone) => {
    const filters = [{ type: "date", column: "createdAt", ...filter }];
    const found = await results({
      datasource: "test",
      timezone,
      filters,
      orderBy: [{ column: "createdAt", direction: "asc" }],
    });
    return found.map(({ createdAt }: { createdAt: string }) => (Date.parse(createdAt) - sunday.getTime()) / 3_600_000);
  };

  test.each<[string, string[], number[]]>([
    ["eq", [day], [0.5, 1.5, 22.5]],
    ["neq", [day], [-2.5, 23.5]],
    ["gt", [day], [23.5]],
    ["gte", [day], [0.5, 1.5, 22.5, 23.5]],
    ["lt", [day], [-2.5]],
    ["lte", [day], [-2.5, 0.5, 1.5, 22.5]],
    ["between", [day, day], [0.5, 1.5, 22.5]],
    ["between", [at(0.5), at(1.5)], [0.5, 1.5]],
    ["gt", [at(0.5)], [1.5, 22.5, 23.5]],
    ["eq", [at(1.5)], [1.5]],
  ])("%s %j", async (operator, value, expected) => {
    expect(await readHours({ operator, value })).toEqual(expected);
  });

  test("the same day elsewhere is another stretch of time", async () => {
    expect(await readHours({ operator: "eq", value: [day] }, "UTC")).toEqual([0.5, 1.5, 22.5, 23.5]);
    expect(await readHours({ operator: "eq", value: [day] }, "Asia/Kathmandu")).toEqual([-2.5, 0.5, 1.5]);
  });

  test("the hour that comes twice is two buckets", async () => {
    const groupBy = [{ column: "createdAt", type: "date", dateTrunc: "hour" }];
    const found = await results({ datasource: "test", groupBy });
    expect(found).toEqual([-3, 0, 1, 22, 23].map((hour) => ({ createdAt: at(hour), count: 1 })));
  });
});

describe("reports agree with the lists", () => {
  const readTotal = async (path: string) => (await api.get(path)).body.pagination.total;
  const count = async (body: object) => (await results({ measurements: [{ type: "count" }], ...body }))[0].count;
  const status = (...value: string[]) => [{ type: "string", column: "status", operator: "eq", value }];

  test("tests, by status", async () => {
    expect(await count({ datasource: "test" })).toBe(await readTotal("/v0/tests"));
    expect((await query({ datasource: "test" })).body.pagination.total).toBe(await readTotal("/v0/tests"));
    for (const each of await results({ datasource: "test", groupBy: [{ column: "status", type: "string" }] })) {
      expect(each.count).toBe(await readTotal(`/v0/tests?status=${each.status}`));
    }
  });

  test("topics, tasks and tags, with and without archived ones", async () => {
    await api.post("/v0/tags", { name: `tag ${newId()}` });
    const gone = (await api.post("/v0/tags", { name: `tag ${newId()}` })).body.data.id;
    await api.post(`/v0/tags/${gone}/archive`);
    for (const [datasource, list, all] of [
      ["topic", "/v0/topics", "DRAFT,ACTIVE,ARCHIVED"],
      ["task", "/v0/tasks", "DEDUCED,DRAFT,ACTIVE,ARCHIVED"],
      ["tag", "/v0/tags", "ACTIVE,ARCHIVED"],
    ] as const) {
      expect([datasource, await count({ datasource })]).toEqual([datasource, await readTotal(`${list}?status=${all}`)]);
      const withoutArchived = await count({ datasource, includeArchived: false });
      expect([datasource, withoutArchived]).toEqual([datasource, await readTotal(list)]);
      expect(await count({ datasource, filters: status("ARCHIVED") })).toBeGreaterThan(0);
    }
  });

  test("what hangs on archived topics and tasks is kept, and can be left out", async () => {
    const groupBy = [{ column: "topicId", type: "string" }];
    const orderBy = [{ column: "count", direction: "asc" }];
    const found = await results({ datasource: "test", groupBy, orderBy });
    expect(found).toEqual(
      expect.arrayContaining([
        { topicId: { id: old, name: "Old" }, count: 1 },
        { topicId: null, count: 1 },
        { topicId: { id: cards, name: "Cards" }, count: 3 },
      ]),
    );
    expect(await results({ datasource: "test", groupBy, orderBy, includeArchived: false })).toEqual([
      { topicId: null, count: 1 },
      { topicId: { id: cards, name: "Cards" }, count: 3 },
    ]);
  });

  test("a task's pass rate and last test", async () => {
    const filters = [{ type: "string", column: "id", operator: "eq", value: [block, newId()] }];
    expect(await results({ datasource: "task", filters })).toMatchObject([
      { id: block, topicId: { id: cards, name: "Cards" }, passRate: 0, lastTest: at(1.5) },
    ]);
    const unpassed = [{ type: "number", column: "passRate", operator: "lt", value: [0.5] }];
    expect(await count({ datasource: "task", filters: unpassed })).toBe(1);
  });

  test("a task's measures are of the tests in runs of the selected types", async () => {
    const id = { type: "string", column: "id", operator: "eq", value: [block] };
    const read = (operator: string, ...value: string[]) =>
      results({ datasource: "task", filters: [id, { type: "string", column: "runType", operator, value }] });
    const { data } = (await api.get("/v0/reporting/datasources/task/columns")).body;
    const { values } = data.find(({ isFilterOnly }: { isFilterOnly: boolean }) => isFilterOnly);
    expect(await read("eq", ...values)).toMatchObject([{ id: block, lastTest: at(1.5) }]);
    expect(await read("neq", ...values)).toMatchObject([{ passRate: null, errored: 0, lastTest: null }]);
  });
});

test("a topic's counts are the API's", async () => {
  const [topic] = await results({
    datasource: "topic",
    filters: [{ type: "string", column: "id", operator: "eq", value: [cards] }],
  });
  const { data } = (await api.get(`/v0/topics/${cards}`)).body;
  const { evalDefinitions: _, assignedUser: __, ...same } = data;
  expect(same).toMatchObject(topic);
});

test("another tenant's report knows nothing of it", async () => {
  const other = (await newTenant()).api;
  const body = { datasource: "test", timezone: zone };
  expect((await other.post("/v0/reporting/query", body)).body.data.results).toEqual([]);
  const filters = [{ type: "string", column: "id", operator: "eq", value: [cards] }];
  expect(
    (await other.post("/v0/reporting/query", { ...body, datasource: "topic", filters })).body.pagination.total,
  ).toBe(0);
});
