import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
// Prompts wait for their next attempt.
await api.post("/v0/webhook", { url: nowhere });
const getIssues = (body: { issues: { path: string[]; code: string }[] }) =>
  body.issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort();

/** Creates an experiment of one task, whose inference step has this external id. */
async function experiment(externalId = newId()) {
  const step = (await api.post("/v0/inference-steps", { title: "Answer", type: "LLM", externalId })).body.data.id;
  const { task } = (await api.post("/v0/tasks", { title: "Opening hours", description: "When?" })).body;
  const json = { title: "Temperature", inferenceStepIds: [step], taskIds: [task.id] };
  const { id } = (await api.post("/v0/experiments", json)).body.data;
  return { id, externalId, step, taskId: task.id, path: `/v0/experiments/${id}/variants` };
}

test("a baseline and a variant are created, listed, read and changed", async () => {
  const { id, externalId, path } = await experiment("answer_step");
  const config = { [externalId]: { model: "m", temperature: 1, stop: ["a", null], deep: { a: { b: 1.5 } } } };
  const created = await api.post(path, { title: "Baseline", configPatch: config, description: null, parentId: null });
  expect(created.status).toBe(201);
  const baseline = created.body.data;
  expect(baseline).toEqual({
    id: expect.any(String),
    experimentId: id,
    createdAt: expect.any(String),
    modifiedAt: expect.any(String),
    title: "Baseline",
    description: "",
    status: "DRAFT",
    configPatch: config,
    config,
    parentId: null,
    progress: { completed: 0, total: 0 },
    summary: { passed: 0, failed: 0, errored: 0, none: 0, passRate: null, averageScore: null },
    runId: null,
    stopped: false,
  });
  const patch = { [externalId]: { temperature: 0 } };
  const variant = (await api.post(path, { title: "Cold", configPatch: patch })).body.data;
  expect(variant).toMatchObject({
    parentId: baseline.id,
    configPatch: patch,
    config: { [externalId]: { ...config[externalId], temperature: 0 } },
  });
  expect((await api.get(`${path}?orderBy=title&orderDir=asc`)).body).toMatchObject({
    data: [baseline, variant],
    pagination: { total: 2 },
  });
  expect((await api.get(`${path}?status=RUNNING,COMPLETED`)).body.data).toEqual([]);
  expect((await api.get(`${path}/${variant.id}`)).body.data).toEqual(variant);
  const json = {
    title: "Colder",
    description: "As cold as it gets",
    configPatch: { [externalId]: { temperature: -1 } },
  };
  const changed = (await api.send("PUT", `${path}/${variant.id}`, { json })).body.data;
  expect(changed).toMatchObject({ ...json, config: { [externalId]: { model: "m", temperature: -1 } } });
});

describe("what is wrong is named", () => {
  test("in bodies", async () => {
    const { externalId, path } = await experiment();
    const faults = async (json: object) => getIssues((await api.post(path, json)).body);
    expect(await faults({ title: "", description: "x".repeat(2049), parentId: "x" })).toEqual([
      ...["configPatch invalid_type", "description too_big", "parentId invalid_string", "title too_small"],
    ]);
    expect(await faults({ title: "x".repeat(257), configPatch: [] })).toEqual([
      ...["configPatch invalid_type", "title too_big"],
    ]);
    expect(await faults({ title: "a", configPatch: { my_step: {}, [externalId]: 7 } })).toEqual([
      ...["configPatch.my_step custom", `configPatch.${externalId} custom`].sort(),
    ]);
    await api.post(path, { title: "Baseline", configPatch: {} });
    expect(await faults({ title: "a", configPatch: { [externalId]: { model: 1, top_k: 2 } } })).toEqual([
      `configPatch.${externalId}.top_k custom`,
    ]);
    expect(await faults({ title: "a", configPatch: {} })).toEqual(["configPatch custom"]);
  });

  test("in queries and updates", async () => {
    const { path } = await experiment();
    expect(getIssues((await api.get(`${path}?orderBy=config&status=NEW&limit=0`)).body)).toEqual([
      ...["limit too_small", "orderBy invalid_enum_value", "status.0 invalid_enum_value"],
    ]);
    const { id } = (await api.post(path, { title: "Baseline", configPatch: {} })).body.data;
    const put = (json: object) => api.send("PUT", `${path}/${id}`, { json });
    expect(getIssues((await put({})).body)).toEqual([" custom"]);
    expect(getIssues((await put({ status: "NEW", configPatch: 1 })).body)).toEqual([
      ...["configPatch invalid_type", "status invalid_enum_value"],
    ]);
    expect((await put({ status: "COMPLETED" })).status).toBe(409);
    const run = (json: object) => api.post(`${path}/${id}/run`, json);
    expect(getIssues((await run({ repeat: 21, simulate: 1 })).body)).toEqual([
      ...["repeat too_big", "simulate invalid_type"],
    ]);
  });
});

test("a run starts with or without a body; then what it measures is locked", async () => {
  const { id, path, externalId, taskId } = await experiment();
  const { data: baseline } = (await api.post(path, { title: "Baseline", configPatch: {} })).body;
  const { data: variant } = (await api.post(path, { title: "Cold", configPatch: { [externalId]: { t: 0 } } })).body;
  const early = await api.post(`${path}/${variant.id}/run`, {});
  expect([early.status, early.headers.get("x-should-retry")]).toEqual([409, "false"]);
  const started = await api.send("POST", `${path}/${baseline.id}/run`, {
    headers: { "content-type": "application/json" },
  });
  expect(started.status).toBe(200);
  const { runId } = started.body.data;
  expect(started.body.data).toMatchObject({ status: "RUNNING", progress: { completed: 0, total: 1 } });
  expect(started.body.data).not.toHaveProperty("result");
  const { run } = (await api.get(`/v0/runs/${runId}`)).body;
  expect(run).toMatchObject({ type: "EXPERIMENT", experimentVariantId: baseline.id });
  const tests = (await api.get(`/v0/tests?experimentVariantId=${baseline.id}`)).body.data;
  expect(tests).toMatchObject([{ runId, taskId, runType: "EXPERIMENT" }]);
  const put = (json: object) => api.send("PUT", `/v0/experiments/${id}`, { json });
  for (const json of [{ taskIds: [] }, { taskIds: null }, { inferenceStepIds: [] }, { status: "COMPLETED" }]) {
    const { status, headers } = await put(json);
    expect([status, headers.get("x-should-retry")]).toEqual([409, "false"]);
  }
  expect((await put({ title: "New" })).body.data).toMatchObject({ title: "New", taskIds: [taskId] });
});

test("a run is stopped, resumed and rejected; what does not fit its state is a conflict", async () => {
  const { path, id, externalId } = await experiment();
  const { data: baseline } = (await api.post(path, { title: "Baseline", configPatch: {} })).body;
  const { data: variant } = (await api.post(path, { title: "Cold", configPatch: { [externalId]: { t: 0 } } })).body;
  const act = async (of: { id: string }, verb: string) => {
    const { status, body } = await api.post(`${path}/${of.id}/${verb}`);
    return [status, body.data?.status ?? body.message, body.data?.stopped];
  };
  expect(await act(baseline, "stop")).toEqual([409, "The variant is DRAFT and cannot be stopped", undefined]);
  await act(baseline, "run");
  expect(await act(baseline, "stop")).toEqual([200, "RUNNING", true]);
  expect(await act(baseline, "resume")).toEqual([200, "RUNNING", false]);
  expect(await act(baseline, "promote")).toEqual([409, "The variant is RUNNING and cannot be promoted", undefined]);
  expect(await act(baseline, "reject")).toEqual([409, "The baseline cannot be rejected", undefined]);
  expect(await act(variant, "reject")).toEqual([200, "REJECTED", false]);
  expect(await act(variant, "run")).toEqual([409, "The variant is REJECTED and cannot be started", undefined]);
  expect((await api.get(`/v0/experiments/${id}`)).body.data).toMatchObject({ status: "BASELINE_RUNNING" });
});

test("a comparison says what it can of variants that were not started, and what is wrong with a query", async () => {
  const { path, id } = await experiment();
  const { data: baseline } = (await api.post(path, { title: "Baseline", configPatch: {} })).body;
  const compare = (query: string) => api.get(`/v0/experiments/${id}/comparison?${query}`);
  const { status, body } = await compare(`variant=${baseline.id}&detect=0.1`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    baseline: { tests: 0, passRate: null },
    definitions: [],
    changedTasks: [],
    difference: { verdict: "too_few_tasks", commonTasks: 0, passRate: null, tasksNeeded: null },
  });
  expect(body.data.difference.summary).toMatch(/^Not enough data/);
  expect(getIssues((await compare("baseline=x&detect=2")).body)).toEqual([
    ...["baseline invalid_string", "detect too_big", "variant invalid_type"],
  ]);
});

test("an experiment keeps its tasks as they were when the baseline was started", async () => {
  const { id, externalId, path, taskId } = await experiment();
  const read = () => api.get(`/v0/experiments/${id}/task-set`);
  expect(await read()).toMatchObject({ status: 404, body: { message: "Task set not found" } });
  const json = { title: "Baseline", configPatch: { [externalId]: { temperature: 1 } } };
  const baseline = (await api.post(path, json)).body.data.id;
  await api.post(`${path}/${baseline}/run`, {});
  const { taskSet } = (await api.get(`/v0/experiments/${id}`)).body.data;
  expect(taskSet).toEqual({
    id: expect.any(String),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    tasks: 1,
    createdAt: expect.any(String),
  });
  const frozen = (await read()).body;
  expect(frozen).toMatchObject({ taskSet, data: [{ taskId, title: "Opening hours" }], pagination: { total: 1 } });
  await api.send("PUT", `/v0/tasks/${taskId}`, { json: { title: "Closing hours" } });
  await api.post(`/v0/tasks/${taskId}/archive`);
  expect((await read()).body).toEqual(frozen);
});
