// Changes while a test runs, and evaluations that no one requested.

import { modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { Api } from "../harness/api.ts";
import {
  createTask,
  defineFor,
  endedTests,
  reachingLoopback,
  startAnswering,
  testsOfRun,
  triggerTasks,
} from "../harness/judged.ts";
import { startProduct } from "../harness/product.ts";
import { newTenant, type TestTenant } from "../harness/tenant.ts";
import { unlimited } from "../harness/unlimited.ts";

const product = await startProduct("one", { env: { ...unlimited, ...reachingLoopback, SETTLE_ROOT_MS: "1000" } });
const models = await modelServer();
/** Accepts prompts without an answer; each test sends the traces itself. */
const accepting = await startAnswering(() => undefined);
afterAll(async () => {
  await product.remove();
  await models.close();
  await accepting[Symbol.asyncDispose]();
});

async function tenantWithModel(): Promise<TestTenant> {
  const tenant = await newTenant({}, product.facts);
  expect((await tenant.api.post("/v0/webhook", { url: accepting.url })).status).toBe(200);
  const connection = { name: "Judge", provider: "openai", model: "judge-1", baseUrl: models.url, apiKey: "sk-loop" };
  const made = await tenant.api.post("/v0/model-connections", { ...connection, default: true });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return tenant;
}

/** Returns the run's tests once all wait for their traces. */
async function accepted(tenant: TestTenant, runId: string, count: number) {
  const waiting = async () => (await testsOfRun(tenant, runId)).filter(({ waitingFor }) => waitingFor === "trace");
  await expect.poll(async () => (await waiting()).length, { timeout: 60_000, interval: 100 }).toBe(count);
  return waiting();
}

async function answer({ api }: TestTenant, tests: readonly { readonly id: string }[], content: string) {
  const events = tests.map(({ id }) => ({ type: "trace", testId: id, steps: [{ type: "response", content }] }));
  const { status, body } = await api.post("/v0/ingest", { events });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Passes an answer that contains the word. */
const custom = { type: "CUSTOM", globalConfig: { criterion: 'It says "Free".' } };

test("definitions are linked to the application “so that all tasks are evaluated automatically”", async () => {
  const tenant = await tenantWithModel();
  const before = await createTask(tenant, 2);
  const definitions = [await defineFor(tenant, custom), await defineFor(tenant, { type: "NATURALNESS" })];
  const after = await createTask(tenant, 2);
  const runId = await triggerTasks(tenant, [before, after]);
  await answer(tenant, await accepted(tenant, runId, 4), "Free.");
  const tests = await endedTests(tenant, runId);
  expect(new Set(tests.map(({ taskId }) => taskId))).toEqual(new Set([before, after]));
  for (const { evals } of tests) {
    expect(evals.map(({ definition }: { definition: { id: string } }) => definition.id).toSorted()).toEqual(
      definitions.toSorted(),
    );
    expect(new Set(evals.map(({ status }: { status: string }) => status))).toEqual(new Set(["COMPLETED"]));
  }
});

test("a task that is archived while its test runs is evaluated all the same", async () => {
  const tenant = await tenantWithModel();
  await defineFor(tenant, custom);
  const taskId = await createTask(tenant, 1);
  const runId = await triggerTasks(tenant, [taskId]);
  const waiting = await accepted(tenant, runId, 1);
  expect((await tenant.api.post(`/v0/tasks/${taskId}/archive`)).status).toBeLessThan(300);
  await answer(tenant, waiting, "Free.");
  expect(await endedTests(tenant, runId)).toMatchObject([{ status: "COMPLETED", passed: true }]);
});

test("a run goes on when the API key that started it is deleted", async () => {
  const tenant = await tenantWithModel();
  await defineFor(tenant, custom);
  const taskId = await createTask(tenant, 1);
  const { status, body } = await tenant.api.post("/v0/api-keys", { name: "Pipeline" });
  expect(status, JSON.stringify(body)).toBe(201);
  const api = await Api.open(product.facts.baseUrl, tenant.applicationId, body.data.key);
  const runId = await triggerTasks({ ...tenant, api }, [taskId]);
  const waiting = await accepted(tenant, runId, 1);
  expect((await tenant.api.send("DELETE", `/v0/api-keys/${body.data.id}`)).status).toBeLessThan(300);
  await answer(tenant, waiting, "Free.");
  expect(await endedTests(tenant, runId)).toMatchObject([{ status: "COMPLETED", passed: true }]);
});

test("a style guide that changes while a test runs is read in the version current at judging", async () => {
  const tenant = await tenantWithModel();
  const sections = (content: string) => ({ content: [{ heading: "Tone", content }] });
  const guide = await tenant.api.post("/v0/style-guides", sections("Be kind."));
  expect(guide.status, JSON.stringify(guide.body)).toBe(201);
  const { id } = guide.body.data;
  await defineFor(tenant, { type: "STYLE", styleGuideId: id });
  const runId = await triggerTasks(tenant, [await createTask(tenant, 1)]);
  const waiting = await accepted(tenant, runId, 1);
  const changed = await tenant.api.send("PUT", `/v0/style-guides/${id}`, { json: sections("Be brief, by decree.") });
  expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300);
  const from = models.requests.length;
  await answer(tenant, waiting, "Returns are free. We gladly help.");
  expect(await endedTests(tenant, runId)).toMatchObject([{ status: "COMPLETED", evals: [{ status: "COMPLETED" }] }]);
  const judged = models.requests.slice(from).flatMap(({ blocks }) => blocks.map(({ text }) => text));
  expect(judged).toContain("Tone\nBe brief, by decree.");
  expect(judged.join()).not.toContain("Be kind.");
});

test("an answer is compared with what its question expects, else with what the link expects", async () => {
  const answers: Readonly<Record<string, string>> = {
    "2 + 2?": "four",
    "2 + 3?": "6",
    "Capital of France?": "Paris",
    "Anything else?": "Nothing",
  };
  await using answering = await startAnswering((prompt) => answers[prompt]);
  const tenant = await newTenant({}, product.facts);
  expect((await tenant.api.post("/v0/webhook", { url: answering.url })).status).toBe(200);
  const evalId = await defineFor(tenant, { type: "OUTPUT_MATCH", globalConfig: { type: "string" } });
  const topic = await tenant.api.post("/v0/topics", { title: "Quiz" });
  const made = await tenant.api.post("/v0/tasks", {
    title: "Quiz",
    description: "Questions with one answer.",
    type: "STATIC",
    topicId: topic.body.data.id,
    metadata: { set: "quiz", level: 1 },
    examples: [
      { input: "2 + 2?", expected: ["4", "four"], metadata: { level: 2 } },
      { input: "2 + 3?", expected: "5" },
      { input: "Capital of France?", expected: "Paris" },
      { input: "Anything else?" },
    ],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const link = { evalIds: [evalId], taskIds: [made.body.task.id], config: { expected: "Nothing" } };
  expect((await tenant.api.post("/v0/definitions/link", link)).status).toBeLessThan(300);
  const tests = await endedTests(tenant, await triggerTasks(tenant, [made.body.task.id]));
  expect(Object.fromEntries(tests.map(({ prompt, outcome }) => [prompt, outcome]))).toEqual({
    "2 + 2?": "PASSED",
    "2 + 3?": "FAILED",
    "Capital of France?": "PASSED",
    "Anything else?": "PASSED",
  });
  const [failed] = tests.filter(({ outcome }) => outcome === "FAILED");
  expect(JSON.stringify(failed.evals[0].results)).toContain('Expected \\"5\\", got \\"6\\"');
  expect(Object.fromEntries(answering.prompts.map(({ prompt, metadata }) => [prompt, metadata]))).toMatchObject({
    "2 + 2?": { set: "quiz", level: 2 },
    "2 + 3?": { set: "quiz", level: 1 },
  });
});

test("the facts of a task's topic are what a FACT definition takes as true, unless the link expects something", async () => {
  const tenant = await tenantWithModel();
  const truth = { type: "FACT", globalConfig: { groundTruth: "Nothing is free." } };
  const plain = await defineFor(tenant, truth);
  const taskId = await createTask(tenant, 1);
  const { topicId } = (await tenant.api.get(`/v0/tasks/${taskId}`)).body.task;
  const expecting = (await tenant.api.post("/v0/definitions", { name: "Expecting", ...truth })).body.data.id;
  const link = { evalIds: [expecting], taskIds: [taskId], config: { expected: "Returns are expected to be free." } };
  expect((await tenant.api.post("/v0/definitions/link", link)).status).toBeLessThan(300);
  const runId = await triggerTasks(tenant, [taskId]);
  const waiting = await accepted(tenant, runId, 1);
  const facts = [
    { statement: "Returns are free for members.", scope: "APPLICATION" },
    { statement: "Returns are free.", scope: "TOPIC", topicIds: [topicId] },
  ];
  expect((await tenant.api.post("/v0/facts/bulk", { facts })).status).toBe(201);
  const from = models.requests.length;
  await answer(tenant, waiting, "Returns are free.");
  const [{ evals }] = await endedTests(tenant, runId);
  const getCount = (id: string) =>
    evals.find(({ definition }: { definition: { id: string } }) => definition.id === id).results.details.facts;
  expect([getCount(plain), getCount(expecting)]).toEqual([2, undefined]);
  const truths = models.requests.slice(from).flatMap(({ blocks }) => blocks.filter(({ name }) => name === "TRUTH"));
  expect(truths.map(({ text }) => text).sort()).toEqual([
    "Returns are expected to be free.",
    "Returns are free.\nReturns are free for members.",
  ]);
});
