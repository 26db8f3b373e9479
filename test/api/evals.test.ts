import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { notJudgedHere } from "../harness/judged.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, orgId } = await newTenant();
const taskId = (await api.post("/v0/tasks", { title: "t", description: "d" })).body.task.id as string;
const createDefinition = async (name: string) =>
  (await api.post("/v0/definitions", { type: "RECALL", name })).body.data as { id: string };
const [first, second] = [await createDefinition("first"), await createDefinition("second")];
const recall = { Faithfulness: { score: 0.5, metadata: { statements: ["a"] } }, ContextPrecision: { score: 1 } };
const { body: recorded } = await api.post("/v0/tests/results", {
  tests: [
    {
      taskId,
      evaluations: [
        { definitionId: first.id, score: 0.75, passed: true, results: recall },
        { definitionId: second.id, status: "SKIPPED", message: "no_expected" },
      ],
    },
    { taskId, evaluations: [{ definitionId: first.id, status: "FAILED" }] },
  ],
});
const [testId, otherId] = recorded.testIds;
const traceId = (await api.post("/v0/ingest", { events: [{ type: "trace", testId }] })).body.data[0].id;
const list = async (query: string) => {
  const { status, body } = await api.get(`/v0/evals?${query}`);
  expect([status, body.pagination.total]).toEqual([200, body.data.length]);
  return body.data;
};

describe("GET /v0/evals", () => {
  test("lists each evaluation as its test does, and as a read by its id does", async () => {
    const data = await list("orderBy=id&orderDir=asc");
    expect(data).toHaveLength(3);
    for (const each of data) expect((await api.get(`/v0/evals/${each.id}`)).body).toEqual({ data: each });
    const { test } = (await api.get(`/v0/tests/${testId}`)).body;
    expect(test.evals).toEqual(data.filter((each: { testId: string }) => each.testId === testId));
    expect(test.evals.find(({ score }: { score: number | null }) => score !== null)).toEqual({
      id: expect.any(String),
      orgId,
      definitionId: first.id,
      definition: first,
      status: "COMPLETED",
      score: 0.75,
      passed: true,
      message: null,
      results: recall,
      testId,
      taskId,
      traceId,
      createdAt: test.createdAt,
      modifiedAt: test.createdAt,
      ...notJudgedHere,
    });
  });

  test("filters by test, trace, definition, status and time; empty filters are none", async () => {
    expect(await list(`testId=${testId}`)).toHaveLength(2);
    expect(await list(`testId=${testId},${otherId}`)).toHaveLength(3);
    expect(await list(`traceId=${traceId}`)).toHaveLength(2);
    expect(await list(`traceId=${traceId.replaceAll("-", "")}`)).toHaveLength(2);
    expect(await list(`traceId=${newId()}`)).toEqual([]);
    expect(await list(`definitionId=${first.id}`)).toHaveLength(2);
    expect(await list("status=SKIPPED")).toMatchObject([{ message: "no_expected", passed: null, score: null }]);
    expect(await list("status=SKIPPED,FAILED&orderBy=status")).toHaveLength(2);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await list(`startDate=${hourAgo}`)).toHaveLength(3);
    expect(await list(`endDate=${hourAgo}`)).toEqual([]);
    expect(await list("testId=&traceId=&definitionId=&status=&startDate=&endDate=")).toHaveLength(3);
  });

  test("a missing evaluation is not found, and every fault of a query is reported", async () => {
    const missing = await api.get(`/v0/evals/${newId()}`);
    expect(missing).toMatchObject({ status: 404, body: { message: "Evaluation not found" } });
    const { status, body } = await api.get("/v0/evals?status=DONE&orderBy=score&testId=x&startDate=z");
    expect(status).toBe(400);
    expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual([
      "orderBy",
      "startDate",
      "status.0",
      "testId.0",
    ]);
  });

  test("definitions are found by the status of their evaluations and by traces", async () => {
    const ids = async (query: string) =>
      (await api.get(`/v0/definitions?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids("status=SKIPPED")).toEqual([second.id]);
    expect((await ids("status=COMPLETED,FAILED")).sort()).toEqual([first.id]);
    expect((await ids(`traceId=${traceId}`)).sort()).toEqual([first.id, second.id].sort());
    expect((await ids(`traceId=${traceId.replaceAll("-", "")}`)).sort()).toEqual([first.id, second.id].sort());
    expect(await ids(`traceId=${newId()}`)).toEqual([]);
    expect(
      await ids("status=&traceId=&taskId=&topicId=&type=&quickstartId=&scopeType=&definitionStatus="),
    ).toHaveLength(2);
  });
});
