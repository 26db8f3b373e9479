// Bulk work over the API of a running product: ingestion of traces, results, tags, and the export of an application.

import { newId } from "@ems/kit/id";
import { emsProcess } from "../harness/cli.ts";
import type { Ground } from "./ground.ts";
import type { Measurement } from "./page.ts";
import { type Bench, inTurn, type Part, type Round } from "./part.ts";
import { cpuUs, getFamily } from "./processes.ts";
import { type Side, startProductSide } from "./sides.ts";
import { measureMs } from "./statistics.ts";

/** Running product, and the folder of its code. */
type BulkTarget = Pick<Side, "baseUrl" | "headers"> & Pick<Ground, "root">;

interface Work {
  readonly name: string;
  readonly unit: "ms" | "/s";
  readonly aim?: string;
  /** Prepares the work on a product; each round is one measurement, in milliseconds or items per second. */
  readonly open: (target: BulkTarget, seconds: number) => Promise<() => Promise<number>>;
}

export const bulk: Part = {
  title: "Bulk work",
  note: "One process, over the API: traces by four connections, the rest one request at a time.",
  measure: (bench) => inTurn(bench, bench.options.rounds ?? 3, (ground, stack) => openBulk(bench, ground, stack)),
};

const warmUpSeconds = 2;
const ingestConnections = 4;
const tracesPerBatch = 100;
const taskCount = 1_000;
const tagCount = 10;
const testsPerRequest = 1_000;
const exportedTests = 2_220;

async function openBulk({ options }: Bench, ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  const { seconds = 4 } = options;
  const spentUs = () => cpuUs([...side.pids, ...getFamily(side.postgresPid)]);
  const opened: { work: Work; measure: () => Promise<number> }[] = [];
  for (const work of works) opened.push({ work, measure: await work.open({ ...side, root: ground.root }, seconds) });
  return async () => {
    const measured: Measurement[] = [];
    for (const { work, measure } of opened) {
      const { name, unit, aim } = work;
      const beforeUs = spentUs();
      const value = await measure();
      measured.push({ what: name, unit, value, ...(aim !== undefined && { aim }) });
      if (unit === "/s")
        measured.push({ what: "CPU of each", unit: "µs", value: (spentUs() - beforeUs) / (value * seconds) });
    }
    return measured;
  };
}

const works: readonly Work[] = [
  {
    name: `traces with three steps of 1 KB, in batches of ${tracesPerBatch}`,
    unit: "/s",
    aim: "gain ≥ 2",
    open: async (target, seconds) => {
      await ingest(target, warmUpSeconds);
      return () => ingest(target, seconds);
    },
  },
  {
    name: `${testsPerRequest} tests of two evaluations in one request`,
    unit: "ms",
    open: async (target) => {
      const newTests = await buildTests(target);
      return () => measureMs(() => post(target, "/v0/tests/results", newTests(testsPerRequest)));
    },
  },
  {
    name: `${tagCount} tags for ${taskCount} tasks in one request`,
    unit: "ms",
    open: async (target) => {
      const taskIds = await newTasks(target);
      return async () => {
        const name = newId();
        const tagIds = await inSequence(tagCount, (at) =>
          create(target, "/v0/tags", { name: `${name} ${at}`, color: "#112233" }),
        );
        return measureMs(() => post(target, "/v0/tasks/tags", { taskIds, tagIds }));
      };
    },
  },
  {
    name: `\`ems export\` of an application with ${exportedTests} tests and those of the rows above`,
    unit: "ms",
    open: async (target) => {
      const newTests = await buildTests(target);
      for (let rest = exportedTests; rest > 0; rest -= testsPerRequest)
        await post(target, "/v0/tests/results", newTests(Math.min(rest, testsPerRequest)));
      return () => measureMs(() => exportAll(target));
    },
  },
];

/** Returns the traces per second over a few connections. */
async function ingest(target: BulkTarget, seconds: number): Promise<number> {
  const steps = JSON.stringify(["llm", "retriever", "tool"].map(buildStep));
  const end = performance.now() + seconds * 1_000;
  let batches = 0;
  const connection = async () => {
    while (performance.now() < end) {
      const events = Array.from(
        { length: tracesPerBatch },
        () => `{"type":"trace","traceId":"${newId()}","steps":${steps}}`,
      );
      const { data } = (await send(target, "/v0/ingest", `{"events":[${events}]}`)) as { data: { success: boolean }[] };
      batches++;
      if (!data.every(({ success }) => success)) throw new Error("a trace was rejected");
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: ingestConnections }, connection));
  return (batches * tracesPerBatch * 1_000) / (performance.now() - start);
}

function buildStep(type: string) {
  const text = "Which fee does a transfer abroad have, and when does it arrive? ".repeat(8);
  return { type, name: type, input: text, output: { text }, tokens: { input: 100, output: 9 } };
}

function newTasks(target: BulkTarget): Promise<string[]> {
  return inSequence(taskCount, (at) => create(target, "/v0/tasks", { title: `Task ${at}`, description: "d" }));
}

/** Creates tasks; returns a function that builds a request with that many tests of them. */
export async function buildTests(target: BulkTarget) {
  const taskIds = await newTasks(target);
  const definitionIds = await inSequence(2, (at) =>
    create(target, "/v0/definitions", { type: "RECALL", name: `Recall ${at}` }),
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

async function exportAll({ baseUrl, headers, root }: BulkTarget): Promise<void> {
  const credentials = { apiKey: headers["x-api-key"] ?? "", applicationId: headers["x-application-id"] ?? "" };
  const { code, stdout, stderr } = await emsProcess({ baseUrl, ...credentials }, root)(["export"]);
  if (code !== 0 || stdout.split("\n").length < taskCount) throw new Error(`ems export: ${stderr}`);
}

async function inSequence<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at++) made.push(await make(at));
  return made;
}

async function create(target: BulkTarget, path: string, json: unknown): Promise<string> {
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
