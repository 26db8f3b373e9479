import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const definitionId = (await api.post("/v0/definitions", { type: "FACT", name: "Right fee" })).body.data.id;
const taskId = (await api.post("/v0/tasks", { title: "Fee", description: "asked" })).body.task.id;
const path = `/v0/definitions/${definitionId}/calibration`;

/** Creates tests with a trace each that the judge passed or failed; returns the traces. */
async function judged(count: number, passed: boolean): Promise<string[]> {
  const tests = Array.from({ length: count }, () => ({ taskId, evaluations: [{ definitionId, passed }] }));
  const { testIds } = (await api.post("/v0/tests/results", { tests })).body;
  const events = testIds.map((testId: string) => ({ type: "trace", testId }));
  return (await api.post("/v0/ingest", { events })).body.data.map(({ id }: { id: string }) => id);
}
const annotate = (traceId: string, passes: boolean, of = definitionId) =>
  api.post("/v0/human-annotations", {
    traceId,
    definitionId: of,
    verdict: passes,
    source: "TEST_PAGE",
    critique: "It names a fee that is gone.",
  });

test("a judge is measured once people judged enough of its traces, and says before what is missing", async () => {
  const [passed, failed] = [await judged(25, true), await judged(25, false)];
  const before = (await api.get(path)).body.data;
  expect(before.definition).toEqual({ id: definitionId, name: "Right fee", type: "FACT", calibration: null });
  expect(before.judge).toEqual({
    definitionVersion: null,
    judgeVersion: null,
    model: null,
    firstAt: expect.any(String),
    lastAt: expect.any(String),
    confusion: { bothPass: 0, onlyJudgePasses: 0, onlyPeoplePass: 0, bothFail: 0 },
    undecided: 0,
    sensitivity: null,
    specificity: null,
    kappa: null,
    evaluations: 50,
    judgedPassRate: { value: 0.5, low: expect.any(Number), high: expect.any(Number) },
    correctedPassRate: null,
    reliable: null,
    scoredTraces: 0,
    weightedKappa: null,
    correlation: null,
    summary:
      "Not enough annotations: of the traces that this judge judged, people passed 0 and failed 0; 20 of each are needed. " +
      "Missing: 20 that people pass and 20 that people fail.",
  });
  expect(before.next).toHaveLength(10);
  expect(before.next[0]).toEqual({
    traceId: expect.any(String),
    testId: expect.any(String),
    taskId,
    topicId: null,
  });
  for (const trace of passed.slice(0, 20)) await annotate(trace, true);
  for (const trace of failed.slice(0, 20)) await annotate(trace, false);
  const { judge, versions, next } = (await api.get(`${path}?nextLimit=200&kappaFloor=0.9`)).body.data;
  expect(judge).toMatchObject({
    sensitivity: { value: 1 },
    specificity: { value: 1 },
    kappa: { value: 1 },
    reliable: true,
    correctedPassRate: { value: 0.5, low: expect.any(Number), high: expect.any(Number) },
  });
  expect(versions).toEqual([judge]);
  expect(next).toHaveLength(10);

  const readCalibration = async () => (await api.get(`/v0/definitions/${definitionId}`)).body.data.calibration;
  await expect.poll(readCalibration, { timeout: 60_000 }).toMatchObject({ humanPassed: 20, humanFailed: 20 });
  expect(await readCalibration()).toEqual({
    kappa: 1,
    sensitivity: 1,
    specificity: 1,
    humanPassed: 20,
    humanFailed: 20,
    undecided: 0,
    definitionVersion: null,
    judgeVersion: null,
    model: null,
    calculatedAt: expect.any(String),
    reliable: true,
  });
});

test("results and comparisons are marked when people say otherwise than their judge", async () => {
  const otherId = (await api.post("/v0/definitions", { type: "FACT", name: "Wrong fee" })).body.data.id;
  const results = Array.from({ length: 40 }, (_, at) => ({
    taskId,
    evaluations: [{ definitionId: otherId, passed: at % 2 === 0 }],
  }));
  const { testIds, run } = (await api.post("/v0/tests/results", { tests: results })).body;
  const events = testIds.map((testId: string) => ({ type: "trace", testId }));
  const traces = (await api.post("/v0/ingest", { events })).body.data;
  // People pass ten of the twenty that the judge passed, and ten of the other twenty.
  for (const [at, { id }] of traces.entries()) await annotate(id, at % 4 < 2, otherId);
  const evaluation = async () => (await api.get(`/v0/tests/${testIds[0]}`)).body.test.evals[0];
  await expect.poll(async () => (await evaluation()).reliable, { timeout: 60_000 }).toBe(false);
  expect(await evaluation()).toMatchObject({ definition: { calibration: { kappa: 0, reliable: false } } });
  const [listed] = (await api.get(`/v0/evals?testId=${testIds[0]}`)).body.data;
  expect(listed).toMatchObject({ reliable: false });
  const { data } = (await api.get(`/v0/runs/compare?a=${run.id}&b=${run.id}`)).body;
  expect(data.difference.summary).toMatch(/ Unreliable judges: 1 of 1 definitions\.$/);
  expect(data.definitions[0]).toMatchObject({
    definition: { id: otherId, calibration: { reliable: false } },
    difference: { summary: expect.stringMatching(/ Unreliable judge: its kappa with people is 0\.00\.$/) },
  });

  const unreliable = async (query: object) => {
    const body = { datasource: "eval", timezone: "UTC", ...query };
    return (await api.post("/v0/reporting/query", body)).body.data.unreliableDefinitions;
  };
  const marked = (rows: number) => [{ id: otherId, name: "Wrong fee", kappa: 0, rows }];
  const byDefinition = (value: string) => ({
    filters: [{ type: "string", column: "definitionId", operator: "eq", value: [value] }],
  });
  const groupBy = [{ column: "createdAt", type: "date", dateTrunc: "day" }];
  expect(await unreliable({ limit: 1 })).toEqual(marked(40));
  expect(await unreliable({ groupBy, measurements: [{ type: "avg", column: "passed" }] })).toEqual(marked(40));
  const passed = { type: "boolean", column: "passed", operator: "eq", value: [true] };
  expect(await unreliable({ filters: [passed], measurements: [{ type: "count" }] })).toEqual(marked(20));
  expect(await unreliable(byDefinition(definitionId))).toEqual([]);
  expect(await unreliable({ datasource: "test" })).toEqual([]);

  await api.send("PUT", "/v0/evaluation-settings", { json: { kappaFloor: 0 } });
  expect(await evaluation()).toMatchObject({ reliable: true });
  expect(await unreliable({})).toEqual([]);
  expect((await api.get("/v0/evaluation-settings")).body.data.kappaFloor).toBe(0);
});

test("the traces to annotate next are put into a queue", async () => {
  const topicId = (await api.post("/v0/topics", { title: newId() })).body.data.id;
  const queueId = (await api.post("/v0/human-annotation-queues", { topicId })).body.data.id;
  const { next } = (await api.get(`${path}?nextLimit=5`)).body.data;
  expect(await api.post(`${path}/queue`, { queueId, limit: 5 })).toMatchObject({ status: 201, body: { count: 5 } });
  const { data } = (await api.get(`/v0/human-annotation-queue-items?queueId=${queueId}`)).body;
  const traces = (items: { traceId: string }[]) => items.map(({ traceId }) => traceId).sort();
  expect(traces(data)).toEqual(traces(next));
});

test("lists every fault of a query and of a body at once", async () => {
  const faults = ({ body }: { body: { issues: { path: string[]; code: string }[] } }) =>
    body.issues.map((issue) => `${issue.path.join(".")} ${issue.code}`).sort();
  expect(faults(await api.get(`${path}?kappaFloor=2&nextLimit=201&topicId=1&startDate=soon`))).toEqual([
    "kappaFloor too_big",
    "nextLimit too_big",
    "startDate invalid_string",
    "topicId invalid_string",
  ]);
  expect(faults(await api.post(`${path}/queue`, { limit: 0 }))).toEqual(["limit too_small", "queueId invalid_type"]);
});
