// Tests through the API, as an application runs them: triggers them, answers with traces, and waits for their end.

import type { Side } from "../sides.ts";
import { startScript } from "./background.ts";

const examples = 50;
const perRequestMax = 50;
/** Pace of the application that sends requests. */
const requestsPerSecond = 10;
const refusedMs = 200;
const refusedMax = 100;
const patienceMs = 180_000;

/** Creates a task whose tests OUTPUT_MATCH judges; returns its id. */
export async function linkComparison(side: Side): Promise<string> {
  return link(side, { name: "Match", type: "OUTPUT_MATCH", globalConfig: { type: "string" } }, { expected: "Free." });
}

/** Creates a task whose tests CUSTOM judges by a scripted model in its own process; returns its id. */
export async function linkJudgement(side: Side, stack: AsyncDisposableStack): Promise<string> {
  const baseUrl = await startScript("model-process.ts", stack);
  await send(side, "POST", "/v0/model-connections", {
    name: "Scripted",
    provider: "openai-compatible",
    baseUrl,
    model: "scripted",
    apiKey: "bench-key",
    default: true,
    limits: { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 64 },
  });
  return link(side, { name: "Free", type: "CUSTOM", globalConfig: { criterion: 'The answer says "Free".' } });
}

async function link(side: Side, definition: object, config?: object): Promise<string> {
  const { data } = await send(side, "POST", "/v0/definitions", definition);
  const inputExamples = Array.from({ length: examples }, (_, at) => `Question ${at}`);
  const { task } = await send(side, "POST", "/v0/tasks", {
    title: "Fees",
    description: "What is free?",
    type: "STATIC",
    topicId: side.topicId,
    inputExamples,
  });
  const links = { evalIds: [data.id], taskIds: [task.id], ...(config && { config }) };
  await send(side, "POST", "/v0/definitions/link", links);
  return task.id;
}

/** Triggers tests, sends their traces at up to that rate, and waits until all have ended; returns the seconds. */
export async function runTests(
  side: Side,
  taskId: string,
  count: number,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<number> {
  const startMs = performance.now();
  const perRequest = Math.min(perRequestMax, perSecond / requestsPerSecond);
  const answer = await fetch(`${side.baseUrl}/v0/tasks/trigger`, {
    method: "POST",
    headers: side.headers,
    body: JSON.stringify({ taskIds: [taskId], repeat: count / examples }),
  });
  if (!answer.ok) throw new Error(`trigger: ${answer.status} ${await answer.text()}`);
  const run = answer.headers.get("location") ?? "";
  for (let skip = 0; skip < count; skip += perRequest) {
    const query = `runId=${run.split("/").at(-1)}&limit=${perRequest}&skip=${skip}`;
    const { data } = await send(side, "GET", `/v0/tests?${query}`);
    const dueMs = startMs + (skip / perSecond) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    await send(side, "POST", "/v0/ingest", { events: data.map(buildTrace) });
  }
  for (const untilMs = performance.now() + patienceMs; ; ) {
    const { progress } = (await send(side, "GET", run)).run;
    if (progress.completed === progress.total) return (performance.now() - startMs) / 1_000;
    if (performance.now() > untilMs) throw new Error(`${progress.completed} of ${progress.total} tests ended in time`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function buildTrace({ id }: { readonly id: string }) {
  const steps = [
    { type: "request", content: "What is free?" },
    { type: "response", content: "Free." },
  ];
  return { type: "trace", testId: id, steps };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
export async function send({ baseUrl, headers }: Side, method: string, path: string, body?: object): Promise<any> {
  const request = () => fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  let answer = await request();
  // Retries after 429, as clients do; the time of the retries counts.
  for (let tries = 0; answer.status === 429 && tries < refusedMax; tries++) {
    await answer.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, refusedMs));
    answer = await request();
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
