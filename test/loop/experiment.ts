// An experiment from start to end, on a product that is killed meanwhile: a baseline and three variants of 60 tasks,
// judged by OUTPUT_MATCH and a scripted model. The overrides of each prompt determine the application's answer, and the
// scenario determines every prompt, result and comparison.

import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { EventEndpoint } from "../harness/event-receiver.ts";
import { isSigned, type TraceSink } from "./application.ts";
import {
  baseline,
  getAnswer,
  getOverrides,
  inferenceSteps,
  passedTasks,
  taskCount,
  variants,
} from "./experiment-scenario.ts";
import { call, readTests } from "./tenant.ts";

/** Maximum number of concurrent prompts of a variant's run. */
const underWay = 32;
const poll = { timeout: 120_000, interval: 200 };

export interface KilledProduct {
  /** Current address of the product. */
  sink(): TraceSink;
  /** Kills processes and restarts them. */
  kill(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
type Json = any;

export async function proveExperiment(
  product: KilledProduct,
  endpoint: EventEndpoint,
  modelUrl: string,
): Promise<void> {
  const send = (method: string, path: string, json?: object) => call(product.sink(), method, path, json);
  const post = (path: string, json: object = {}) => send("POST", path, json);
  const application = await answering(endpoint, (await post("/v0/webhook", { url: endpoint.url })).data.webhookSecret);
  const { experimentId, taskIds } = await prepare(post, modelUrl);
  const path = `/v0/experiments/${experimentId}`;
  const read = async (id: string) => (await patiently(() => send("GET", `${path}/variants/${id}`))).data;
  const status = async () => (await send("GET", path)).data.status;
  const completed = (id: string) => expect.poll(async () => (await read(id)).status, poll).toBe("COMPLETED");

  const ids = new Map<string, string>();
  const create = async (title: string, configPatch: object, parentId?: string) => {
    const { data } = await post(`${path}/variants`, { title, configPatch, ...(parentId && { parentId }) });
    expect(data.config).toEqual(getOverrides(title));
    ids.set(title, data.id);
  };
  const getId = (name: string) => ids.get(name) ?? "";
  expect(await status()).toBe("DRAFT");
  await create("Baseline", baseline);
  const two = { title: "Two", configPatch: { write_answer: { model: "small", temperature: 0 } } };
  await expect(post(`${path}/variants`, two)).rejects.toThrow(/: 400 .*"configPatch","write_answer","temperature"/);
  for (const { name, patch, parent } of variants) await create(name, patch, parent && getId(parent));
  await expect(post(`${path}/variants/${getId("Colder")}/run`)).rejects.toThrow(/: 409 /);
  expect(await status()).toBe("BASELINE_PENDING");

  // Stop the run while its first prompts are in progress, kill the product, and resume.
  const first = `${path}/variants/${getId("Baseline")}`;
  application.hold();
  await post(`${first}/run`);
  await expect.poll(() => application.prompts.size, poll).toBeGreaterThan(0);
  expect((await post(`${first}/stop`)).data).toMatchObject({ status: "RUNNING", stopped: true });
  expect(await status()).toBe("BASELINE_RUNNING");
  application.goOn();
  const progress = async () => (await read(getId("Baseline"))).progress;
  await expect.poll(progress, poll).toEqual({ completed: underWay, total: taskCount });
  await product.kill();
  expect(await read(getId("Baseline"))).toMatchObject({ status: "RUNNING", stopped: true });
  expect(await progress()).toEqual({ completed: underWay, total: taskCount });
  expect(application.prompts.size).toBe(underWay);
  await patiently(() => post(`${first}/resume`));
  await completed(getId("Baseline"));
  expect(await status()).toBe("BASELINE_COMPLETED");
  for (const change of [{ taskIds: taskIds.slice(1) }, { inferenceStepIds: null }])
    await expect(send("PUT", path, change)).rejects.toThrow(/: 409 /);
  await expect(send("PUT", first, { configPatch: {} })).rejects.toThrow(/: 409 /);

  // Kill the product while prompts are in progress, and once more while two variants run at the same time.
  await post(`${path}/variants/${getId("More passages")}/run`);
  await expect.poll(() => application.of(getId("More passages")).length, poll).toBeGreaterThan(4);
  expect(await status()).toBe("RUNNING");
  await product.kill();
  await completed(getId("More passages"));
  const losers = ["Colder", "Smaller"];
  for (const name of losers) await patiently(() => post(`${path}/variants/${getId(name)}/run`));
  await expect.poll(() => application.of(getId("Smaller")).length, poll).toBeGreaterThan(0);
  await product.kill();
  for (const name of losers) await completed(getId(name));
  expect(await status()).toBe("COMPLETED");

  await checkPrompts(product.sink(), application, experimentId, ids, read);
  for (const { name, outcome } of variants) {
    const { data } = await send("GET", `${path}/comparison?variant=${getId(name)}&detect=0.2`);
    checkComparison(data, name, outcome, taskIds);
  }
  await send("POST", `${path}/variants/${getId("More passages")}/promote`);
  expect((await send("GET", path)).data.promotedVariantId).toBe(getId("More passages"));
  await expect(post(`${path}/variants/${getId("More passages")}/reject`)).rejects.toThrow(/: 409 /);
  await expect
    .poll(() => application.promoted, poll)
    .toMatchObject([{ id: getId("More passages"), config: getOverrides("More passages") }]);
  expect(application.faults).toEqual([]);
}

/** Checks that each prompt had the overrides of its variant, and that each run passed the expected tests. */
async function checkPrompts(
  sink: TraceSink,
  application: Answering,
  experimentId: string,
  ids: ReadonlyMap<string, string>,
  read: (id: string) => Promise<Json>,
): Promise<void> {
  for (const [name, variantId] of ids) {
    const { runId, progress, result } = await read(variantId);
    expect(progress).toEqual({ completed: taskCount, total: taskCount });
    const passed = passedTasks(name);
    expect([name, result.total, result.passed]).toEqual([name, taskCount, passed.length]);
    const tests = await readTests(sink, runId);
    const experiment = { experimentId, experimentVariantId: variantId, overrides: getOverrides(name) };
    expect(tests.map(({ id }) => application.prompts.get(id)?.experiment)).toEqual(tests.map(() => experiment));
    const found = tests.filter((test) => test.passed).map(({ prompt }) => parseTask(prompt));
    expect(found.toSorted((a, b) => a - b)).toEqual(passed);
  }
  const [{ signature, timestamp, body } = { body: "{}" }] = application.prompts.values();
  const { valid } = await call(sink, "POST", "/v0/validate-webhook", { signature, timestamp, body: JSON.parse(body) });
  expect(valid).toBe(true);
}

function checkComparison(data: Json, name: string, outcome: string, taskIds: readonly string[]): void {
  const [before, after] = [passedTasks("Baseline"), passedTasks(name)];
  const by = (after.length - before.length) / taskCount;
  expect(data).toMatchObject({
    baseline: { tests: taskCount, passed: before.length, errored: 0, uncounted: 0 },
    variant: { tests: taskCount, passed: after.length, errored: 0, uncounted: 0 },
    difference: { verdict: outcome, commonTasks: taskCount, method: "paired" },
  });
  expect(data.difference.passRate.value).toBeCloseTo(by, 9);
  // The scripted model passes every answer, so only the definition "Code" accounts for the difference.
  expect(data.definitions).toMatchObject([
    { definition: { name: "Code", type: "OUTPUT_MATCH" }, difference: { verdict: outcome } },
    { definition: { name: "Free", type: "CUSTOM" }, difference: { verdict: "no_evidence", passRate: { value: 0 } } },
  ]);
  const changed = taskIds.filter((_, task) => before.includes(task) !== after.includes(task));
  expect(data.changedTasks.map(({ task }: Json) => task.id).toSorted()).toEqual(changed.toSorted());
}

/** Creates definitions, tasks and an experiment with these tasks. */
async function prepare(post: (path: string, json: object) => Promise<Json>, modelUrl: string) {
  await post("/v0/model-connections", {
    name: "Judge",
    provider: "openai",
    model: "judge-1",
    apiKey: "sk-of-the-loop",
    baseUrl: modelUrl,
    default: true,
    limits: { requestsPerMinute: 100_000, tokensPerMinute: 1_000_000_000, concurrency: 32 },
  });
  const match = { type: "string", extract: { pattern: "code (\\d+)", flags: "", group: 1 } };
  const { data: code } = await post("/v0/definitions", { name: "Code", type: "OUTPUT_MATCH", globalConfig: match });
  const criterion = { criterion: 'It says "Free".' };
  const { data: free } = await post("/v0/definitions", { name: "Free", type: "CUSTOM", globalConfig: criterion });
  await post("/v0/definitions/link-application", { evalIds: [free.id] });
  const taskIds: string[] = [];
  for (let number = 0; number < taskCount; number++) {
    const { task } = await post("/v0/tasks", {
      title: `Task ${number}`,
      description: "Codes",
      type: "STATIC",
      inputExamples: [`Question ${number}`],
    });
    taskIds.push(task.id);
  }
  const link = { evalIds: [code.id], taskIds, config: { expected: "7" } };
  await post("/v0/definitions/link", link);
  const inferenceStepIds: string[] = [];
  for (const externalId of inferenceSteps) {
    const { data } = await post("/v0/inference-steps", { title: externalId, type: "LLM", externalId });
    inferenceStepIds.push(data.id);
  }
  const { data } = await post("/v0/experiments", { title: "Codes", inferenceStepIds, taskIds });
  return { experimentId: data.id as string, taskIds };
}

const parseTask = (prompt: string) => Number(/\d+$/.exec(prompt)?.[0]);

type Answering = Awaited<ReturnType<typeof answering>>;

/** Starts the application, which answers by the overrides of each prompt. */
async function answering(endpoint: EventEndpoint, webhookSecret: string) {
  const prompts = new Map<string, { experiment: Json; signature: string; timestamp: string; body: string }>();
  const promoted: Json[] = [];
  const faults: string[] = [];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  endpoint.behave((request) => {
    const { body, headers } = request;
    if (!isSigned(webhookSecret, request)) faults.push(`${request.id} is not signed`);
    const { testId, prompt, experiment, type, data } = JSON.parse(body);
    if (headers["ems-delivery"] !== "prompt") {
      if (type === "experiment_variant.promoted") promoted.push(data);
      return { kind: "answer", status: 200 };
    }
    const before = prompts.get(testId);
    if (before !== undefined && before.body !== body) faults.push(`two prompts of ${testId}`);
    const [signature, timestamp] = [String(headers["webhook-signature"]), String(headers["webhook-timestamp"])];
    prompts.set(testId, { experiment, signature, timestamp, body });
    const output = getAnswer(parseTask(prompt), experiment.overrides);
    return { kind: "held", status: 200, when: gate.promise, body: JSON.stringify({ output }) };
  });
  return {
    prompts,
    promoted,
    faults,
    of: (variantId: string) =>
      [...prompts.values()].filter((each) => each.experiment.experimentVariantId === variantId),
    /** Holds all answers until released. */
    hold: () => {
      gate = Promise.withResolvers<void>();
    },
    goOn: () => gate.resolve(),
  };
}

/** Retries 503, which the product may answer right after a kill. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const untilMs = Date.now() + poll.timeout; ; await delay(poll.interval)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
  }
}
