import { Code } from "@ems/kit/errors";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { reportingHarness } from "../../test/harness.ts";

const { tenant, client } = await reportingHarness();
const reporting = client(ReportingService);
const options = () => testCall(tenant);
const percentiles = ["p50", "p90", "p95", "p99"];

test("each datasource lists its columns", async () => {
  const columns: Record<string, number> = {
    task: 15,
    test: 25,
    eval: 25,
    trace: 25,
    step: 28,
    session: 19,
    topic: 16,
    tag: 10,
  };
  for (const [id, count] of Object.entries(columns)) {
    expect((await reporting.getDatasourceColumns({ id }, options())).data).toHaveLength(count);
  }
  const { data } = await reporting.getDatasourceColumns({ id: "test" }, options());
  expect(data.find(({ id }) => id === "topicId")).toMatchObject({
    name: "Topic",
    type: "string",
    isReference: true,
    operators: ["eq", "neq"],
    measurements: [],
    dateTruncs: [],
  });
  expect(data.find(({ id }) => id === "score")).toMatchObject({
    measurements: ["avg", "sum", "min", "max", ...percentiles, "interval"],
  });
  expect(data.find(({ id }) => id === "status")?.values).toContain("COMPLETED");
});

test("an unknown datasource is not found", async () => {
  const notFound = { code: Code.NotFound, rawMessage: "Datasource not found" };
  await expect(reporting.getDatasourceColumns({ id: "tests" }, options())).rejects.toMatchObject(notFound);
  const request = { id: "constructor", intent: "filters" };
  await expect(reporting.queryDatasourceColumns(request, options())).rejects.toMatchObject(notFound);
});

const month = { column: "createdAt", type: "date", dateTrunc: "month" };
const topic = { column: "topicId", type: "string" };
const task = { column: "taskId", type: "string" };

async function ids(intent: string, rest: { groupBy?: (typeof month | typeof topic)[]; measurements?: object[] } = {}) {
  const { data } = await reporting.queryDatasourceColumns({ id: "test", intent, ...rest }, options());
  return data.map(({ id }) => id);
}

test("filters accept every column, and groups the unused ones, at most three", async () => {
  expect(await ids("filters", { groupBy: [month] })).toHaveLength(25);
  expect(await ids("groupBy")).toHaveLength(23);
  const left = await ids("groupBy", { groupBy: [month, topic] });
  expect(left).toHaveLength(21);
  expect(left).not.toContain("createdAt");
  expect(await ids("groupBy", { groupBy: [month, topic, task] })).toEqual([]);
});

test("measurements are of numbers and booleans, each at most once", async () => {
  expect(await ids("measurements")).toEqual([
    ...["score", "passed", "errored", "durationMs", "cost", "unpricedSteps", "inputTokens", "cachedInputTokens"],
    ...["cacheWriteTokens", "outputTokens", "reasoningTokens"],
  ]);
  const all = ["avg", "sum", "min", "max"].map((type) => ({ type, column: "passed" }));
  const measurements = [{ type: "avg", column: "score" }, ...all];
  const { data } = await reporting.queryDatasourceColumns(
    { id: "test", intent: "measurements", measurements },
    options(),
  );
  expect(data.slice(0, 4).map(({ id, measurements }) => [id, measurements])).toEqual([
    ["score", ["sum", "min", "max", ...percentiles, "interval"]],
    ["passed", ["interval"]],
    ["errored", ["avg", "sum", "min", "max", "interval"]],
    ["durationMs", ["avg", "sum", "min", "max", ...percentiles, "interval"]],
  ]);
});

test("results are ordered by their own columns", async () => {
  expect(await ids("orderBy")).toHaveLength(23);
  const measurements = [{ type: "count" }, { type: "avg", column: "score" }];
  expect(await ids("orderBy", { groupBy: [topic, month], measurements })).toEqual([
    "topicId",
    "createdAt",
    "count",
    "avg_score",
  ]);
  expect(await ids("orderBy", { groupBy: [topic] })).toEqual(["topicId", "count"]);
});

test("errors of the incomplete query are returned", async () => {
  const wrong = { id: "test", intent: "orderBy", groupBy: [{ column: "nope", type: "string" }] };
  await expect(reporting.queryDatasourceColumns(wrong, options())).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});
