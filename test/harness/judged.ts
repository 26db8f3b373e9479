// A tenant with a working test loop: an application that answers prompts in its 2xx, definitions, and a run.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { TestTenant } from "./tenant.ts";

/** Fields of an evaluation recorded by a client: no judge ran. */
export const notJudgedHere = {
  attempts: null,
  costMicro: null,
  definitionVersion: null,
  durationMs: null,
  inputTokens: null,
  outputTokens: null,
  judgeVersion: null,
  model: null,
  modelConnectionId: null,
  replacedById: null,
  scoreOutOfScale: null,
  waitingFor: null,
  reliable: null,
  uncertainCostMicro: null,
  estimatedTokens: null,
};

export interface ReceivedPrompt {
  readonly testId: string;
  readonly prompt: string;
  readonly metadata?: object;
}

export interface Answering extends AsyncDisposable {
  /** For `POST /v0/webhook`, if loopback is allowed. */
  readonly url: string;
  /** Received prompts. */
  readonly prompts: readonly ReceivedPrompt[];
}

/** Settings of a product that sends prompts to `startAnswering`, and calls models on this machine. */
export const reachingLoopback = { WEBHOOK_ALLOW_LOOPBACK: "yes", MODEL_ALLOW_CIDRS: "127.0.0.1/32" };

/** An application that answers every prompt at once with `output`. */
export async function startAnswering(output: (prompt: string) => unknown): Promise<Answering> {
  const prompts: ReceivedPrompt[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    if (request.headers["ems-delivery"] !== "prompt") return void response.end();
    const received: ReceivedPrompt = JSON.parse(body);
    prompts.push(received);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ output: output(received.prompt) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prompts`,
    prompts,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A definition that judges every test of the application; `settings` are those of `POST /v0/definitions`. */
export async function defineFor({ api }: TestTenant, settings: object): Promise<string> {
  const defined = await api.post("/v0/definitions", { name: "Judged", ...settings });
  expect(defined.status, JSON.stringify(defined.body)).toBe(201);
  const { id } = defined.body.data;
  const linked = await api.post("/v0/definitions/link-application", { evalIds: [id] });
  expect(linked.status, JSON.stringify(linked.body)).toBeLessThan(300);
  return id;
}

/** Creates a STATIC task with that many prompts. */
export async function createTask({ api }: TestTenant, prompts: number): Promise<string> {
  const topic = await api.post("/v0/topics", { title: "Fees" });
  const inputExamples = Array.from({ length: prompts }, (_, at) => `Question ${at}`);
  const made = await api.post("/v0/tasks", {
    title: "Fees",
    description: "What is free?",
    type: "STATIC",
    topicId: topic.body.data.id,
    inputExamples,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.task.id;
}

/** Starts a run; returns its id. */
export async function triggerTasks(
  { api }: TestTenant,
  taskIds: readonly string[],
  more: object = {},
): Promise<string> {
  const { status, headers, body } = await api.post("/v0/tasks/trigger", { taskIds, ...more });
  expect(status, JSON.stringify(body)).toBe(204);
  return headers.get("location")?.split("/").at(-1) ?? "";
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any JSON and assert its shape
export async function testsOfRun({ api }: TestTenant, runId: string): Promise<any[]> {
  return (await api.get(`/v0/tests?runId=${runId}&limit=50`)).body.data;
}

/** The run's tests once all have ended. */
export async function endedTests(tenant: TestTenant, runId: string, timeout = 60_000) {
  const progress = async () => {
    const { completed, total } = (await tenant.api.get(`/v0/runs/${runId}`)).body.run.progress;
    return completed === total && total > 0;
  };
  await expect.poll(progress, { timeout, interval: 200 }).toBe(true);
  return testsOfRun(tenant, runId);
}
