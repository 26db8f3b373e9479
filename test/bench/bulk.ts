// Bulk work over the API of a running product: ingestion of traces, results, tags, and the export of an application.

import { newId } from "@ems/kit/id";
import { emsAs } from "../harness/cli.ts";
import type { Side } from "./sides.ts";

export type BulkTarget = Pick<Side, "baseUrl" | "headers">;

export interface BulkOptions {
  /** How long traces are ingested, after a warm-up. */
  readonly seconds: number;
  /** Of the requests that are sent one at a time; the median counts. */
  readonly repetitions: number;
  readonly only?: readonly string[];
}

export interface BulkResult {
  readonly work: string;
  readonly ms: number;
  readonly perSecond: number;
}

interface Work {
  readonly name: string;
  readonly measure: (target: BulkTarget, options: BulkOptions) => Promise<Omit<BulkResult, "work">>;
}

const warmUpSeconds = 2;
const ingestConnections = 4;
const tracesPerBatch = 100;
const taskCount = 1_000;
const tagCount = 10;
const testsPerRequest = 1_000;
const exportedTests = 2_220;

/** `only` names the work to measure, by its first word; all of it by default. */
export async function measureBulk(
  target: BulkTarget,
  { seconds, repetitions, only }: BulkOptions,
): Promise<BulkResult[]> {
  const selected = works.filter(({ name }) => only === undefined || only.includes(name.split(":")[0] ?? ""));
  if (selected.length === 0) throw new Error(`the work is ${works.map(({ name }) => name.split(":")[0]).join(", ")}`);
  const results: BulkResult[] = [];
  for (const { name, measure } of selected)
    results.push({ work: name, ...(await measure(target, { seconds, repetitions })) });
  return results;
}

const works: readonly Work[] = [
  {
    name: `ingest: batches of ${tracesPerBatch} traces with three steps of 1 KB`,
    measure: async (target, { seconds }) => {
      await ingest(target, warmUpSeconds);
      return ingest(target, seconds);
    },
  },
  {
    name: `results: ${testsPerRequest} tests of two evaluations a request`,
    measure: async (target, { repetitions }) => {
      const newTests = await testsOf(target);
      return median(
        testsPerRequest,
        repetitions,
        () => () => post(target, "/v0/tests/results", newTests(testsPerRequest)),
      );
    },
  },
  {
    name: `tags: ${taskCount} tasks × ${tagCount} tags a request`,
    measure: async (target, { repetitions }) => {
      const taskIds = await newTasks(target);
      return median(taskCount * tagCount, repetitions, async () => {
        const name = newId();
        const tagIds = await inTurn(tagCount, (at) =>
          idOf(target, "/v0/tags", { name: `${name} ${at}`, color: "#112233" }),
        );
        return () => post(target, "/v0/tasks/tags", { taskIds, tagIds });
      });
    },
  },
  {
    name: `export: by the command line, with ${exportedTests} tests more each time`,
    measure: async (target) => {
      const newTests = await testsOf(target);
      for (let rest = exportedTests; rest > 0; rest -= testsPerRequest)
        await post(target, "/v0/tests/results", newTests(Math.min(rest, testsPerRequest)));
      return median(exportedTests, 1, () => () => exportAll(target));
    },
  },
];

/** Traces a second over a few connections, and the time of a batch. */
async function ingest(target: BulkTarget, seconds: number): Promise<Omit<BulkResult, "work">> {
  const steps = JSON.stringify(["llm", "retriever", "tool"].map(stepOf));
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  const connection = async () => {
    while (performance.now() < end) {
      const events = Array.from(
        { length: tracesPerBatch },
        () => `{"type":"trace","traceId":"${newId()}","steps":${steps}}`,
      );
      const start = performance.now();
      const { data } = (await send(target, "/v0/ingest", `{"events":[${events}]}`)) as { data: { success: boolean }[] };
      times.push(performance.now() - start);
      if (!data.every(({ success }) => success)) throw new Error("a trace was rejected");
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: ingestConnections }, connection));
  const perSecond = (times.length * tracesPerBatch * 1_000) / (performance.now() - start);
  return { ms: middle(times), perSecond };
}

function stepOf(type: string) {
  const text = "Which fee does a transfer abroad have, and when does it arrive? ".repeat(8);
  return { type, name: type, input: text, output: { text }, tokens: { input: 100, output: 9 } };
}

function newTasks(target: BulkTarget): Promise<string[]> {
  return inTurn(taskCount, (at) => idOf(target, "/v0/tasks", { title: `Task ${at}`, description: "d" }));
}

/** Makes requests of that many tests, of new tasks. */
async function testsOf(target: BulkTarget) {
  const taskIds = await newTasks(target);
  const definitionIds = await inTurn(2, (at) =>
    idOf(target, "/v0/definitions", { type: "RECALL", name: `Recall ${at}` }),
  );
  return (count: number) => {
    const tests = Array.from({ length: count }, (_, at) => {
      const evaluations = definitionIds.map((definitionId) => ({
        definitionId,
        score: at / count,
        passed: at % 2 === 0,
      }));
      return {
        taskId: taskIds[at % taskIds.length],
        score: at / count,
        passed: at % 3 === 0,
        durationMs: at,
        evaluations,
      };
    });
    return { tests };
  };
}

async function exportAll({ baseUrl, headers }: BulkTarget): Promise<void> {
  const credentials = { apiKey: headers["x-api-key"] ?? "", applicationId: headers["x-application-id"] ?? "" };
  const { code, stdout, stderr } = await emsAs({ baseUrl, ...credentials })(["export"]);
  if (code !== 0 || stdout.split("\n").length < taskCount) throw new Error(`ems export: ${stderr}`);
}

type Prepared = () => Promise<unknown>;

/** The median time of the requests that `prepare` makes, and how many items a second that is. */
async function median(items: number, repetitions: number, prepare: () => Prepared | Promise<Prepared>) {
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const request = await prepare();
    const start = performance.now();
    await request();
    times.push(performance.now() - start);
  }
  const ms = middle(times);
  return { ms, perSecond: (items * 1_000) / ms };
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function inTurn<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at++) made.push(await make(at));
  return made;
}

async function idOf(target: BulkTarget, path: string, json: unknown): Promise<string> {
  const body = (await post(target, path, json)) as Record<string, { id: string }>;
  return (body.data ?? body.task)?.id ?? "";
}

function post(target: BulkTarget, path: string, json: unknown): Promise<unknown> {
  return send(target, path, JSON.stringify(json));
}

async function send({ baseUrl, headers }: BulkTarget, path: string, body: string): Promise<unknown> {
  const response = await fetch(baseUrl + path, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
