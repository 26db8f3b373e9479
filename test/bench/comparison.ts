// Comparison of two runs: its time over the API, and its statements.

import pg from "pg";
import { statementsOfRequest } from "./evaluation/statement-counts.ts";
import type { Ground } from "./ground.ts";
import { inTurn, type Part, type Round } from "./part.ts";
import { type ProductSide, startProductSide } from "./sides.ts";
import { measureMs, median } from "./statistics.ts";

const taskCount = 1_000;
const definitionCount = 20;
/** Several requests are needed, since their bodies have a size limit. */
const testsPerRequest = 250;
const requests = 10;

export const comparison: Part = {
  title: "Comparison of runs",
  note: `\`GET /v0/runs/compare\` of ${taskCount} tasks that ${definitionCount} definitions judge, in one process: the median of ${requests} requests,
which is to be less than 300 ms, and the statements that a request runs other than those of its transactions.`,
  measure: (bench) =>
    inTurn(bench, bench.options.rounds ?? 3, open, { postgres: { shared_preload_libraries: "pg_stat_statements" } }),
};

async function open(ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const definitions = await inSequence(definitionCount, async (at) => {
    const body = { type: "CUSTOM", name: `Criterion ${at}`, globalConfig: { criterion: "Polite" } };
    return (await send(side, "POST", "/v0/definitions", body)).data.id;
  });
  const tasks = await inSequence(taskCount, async (at) => {
    const body = { title: `Task ${at}`, description: "d", topicId: side.topicId };
    return (await send(side, "POST", "/v0/tasks", body)).task.id;
  });
  const [a, b] = [await newRun(side, tasks, definitions, 3), await newRun(side, tasks, definitions, 4)];
  const compare = () => send(side, "GET", `/v0/runs/compare?a=${a}&b=${b}`);
  return async () => {
    await compare();
    const times: number[] = [];
    const statements = await statementsOfRequest(client, requests, async () => {
      for (let sent = 0; sent < requests; sent++) times.push(await measureMs(compare));
    });
    return [
      { what: "comparison", unit: "ms", value: median(times) },
      { what: "statements", unit: "a request", value: statements },
    ];
  };
}

/** Creates a run of all tasks, in which every `oneOf`th result did not pass; returns its id. */
async function newRun(side: ProductSide, tasks: string[], definitions: string[], oneOf: number): Promise<string> {
  let runId: string | undefined;
  for (let from = 0; from < tasks.length; from += testsPerRequest) {
    const tests = tasks.slice(from, from + testsPerRequest).map((taskId, at) => ({
      taskId,
      passed: (from + at) % oneOf !== 0,
      durationMs: at,
      evaluations: definitions.map((definitionId, of) => ({ definitionId, passed: (from + at + of) % oneOf !== 0 })),
    }));
    const { run } = await send(side, "POST", "/v0/tests/results", { tests, ...(runId !== undefined && { runId }) });
    runId = run.id;
  }
  return runId ?? "";
}

async function inSequence<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at++) made.push(await make(at));
  return made;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
async function send({ baseUrl, headers }: ProductSide, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
