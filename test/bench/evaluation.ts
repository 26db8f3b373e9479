// What the execution of tests costs without a model: triggers, traces, judgement by comparison, and claims of jobs.

import { LeasedJobs } from "@ems/kit/db/leased-jobs";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { startEventReceiver } from "../harness/event-receiver.ts";
import type { Ground } from "./ground.ts";
import type { Measurement } from "./page.ts";
import { type Bench, inTurn, type Part, type Round } from "./part.ts";
import { cpuUs, familyOf, untilIdle } from "./processes.ts";
import { type Side, startProductSide } from "./sides.ts";
import { percentile } from "./statistics.ts";

export const evaluation: Part = {
  title: "Execution of tests",
  note: `One process: tests that are triggered, whose traces arrive by ingestion, fifty a request, and which OUTPUT_MATCH judges: time
and CPU of a test from the trigger to the end of its run, with PostgreSQL, and its statements; reads and writes of another
tenant's size beside it; and the time of claiming 32 jobs, with few and with 100,000 that wait.`,
  measure: (bench) => inTurn(bench, bench.options.rounds ?? 3, (ground, stack) => openLoop(bench, ground, stack)),
};

const testsOfRound = 1_000;
const perRequest = 50;
const patienceMs = 180_000;

async function openLoop(_: Bench, ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  // Accepts prompts, and answers nothing: traces come by ingestion.
  const receiver = await startEventReceiver();
  stack.defer(() => receiver.close());
  const side = await startProductSide("one", ground, stack, { ...receiver.env, NATS_URL: "" });
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  await send(side, "POST", "/v0/webhook", { url: receiver.url });
  const { data } = await send(side, "POST", "/v0/definitions", {
    ...{ name: "Match", type: "OUTPUT_MATCH", globalConfig: { type: "string" } },
  });
  const inputExamples = Array.from({ length: 50 }, (_, at) => `Question ${at}`);
  const { task } = await send(side, "POST", "/v0/tasks", {
    ...{ title: "Fees", description: "What is free?", type: "STATIC", topicId: side.topicId, inputExamples },
  });
  await send(side, "POST", "/v0/definitions/link", {
    ...{ evalIds: [data.id], taskIds: [task.id], config: { expected: "Free." } },
  });
  return async () => {
    const alone = await besideLatencies(side, async () => new Promise((resolve) => setTimeout(resolve, 3_000)));
    const spent = () => cpuUs([...side.pids, ...familyOf(side.postgresPid)]);
    const [beforeUs, beforeCalls] = [spent(), await transactions(client)];
    const startMs = performance.now();
    let seconds = 0;
    const beside = await besideLatencies(side, async () => {
      await runTests(side, task.id);
      seconds = (performance.now() - startMs) / 1_000;
    });
    await untilIdle([...side.pids, side.postgresPid]);
    const calls = (await transactions(client)) - beforeCalls;
    return [
      { what: "tests", unit: "/s", value: testsOfRound / seconds },
      { what: "CPU of a test, with the API's beside it", unit: "µs", value: (spent() - beforeUs) / testsOfRound },
      { what: "transactions", unit: "a test", value: calls / testsOfRound },
      ...(await claims(client)),
      ...p99("read", beside.reads, alone.reads),
      ...p99("write", beside.writes, alone.writes),
    ];
  };
}

function p99(what: string, beside: readonly number[], alone: readonly number[]): Measurement[] {
  const value = percentile([...beside], 99);
  return [{ what: `${what}, p99`, unit: "ms", value, beside: { what: "alone", value: percentile([...alone], 99) } }];
}

/** Triggers tests, sends their traces, and waits until all have ended. */
async function runTests(side: Side, taskId: string): Promise<void> {
  const repeat = testsOfRound / 50;
  const answer = await fetch(`${side.baseUrl}/v0/tasks/trigger`, {
    ...{ method: "POST", headers: side.headers, body: JSON.stringify({ taskIds: [taskId], repeat }) },
  });
  const run = answer.headers.get("location") ?? "";
  for (let skip = 0; skip < testsOfRound; skip += perRequest) {
    const { data } = await send(
      side,
      "GET",
      `/v0/tests?runId=${run.split("/").at(-1)}&limit=${perRequest}&skip=${skip}`,
    );
    const events = data.map(({ id }: { id: string }) => ({
      type: "trace",
      testId: id,
      steps: [
        { type: "request", content: "What is free?" },
        { type: "response", content: "Free." },
      ],
    }));
    await send(side, "POST", "/v0/ingest", { events });
  }
  for (const untilMs = performance.now() + patienceMs; ; ) {
    const { progress } = (await send(side, "GET", run)).run;
    if (progress.completed === progress.total) return;
    if (performance.now() > untilMs) throw new Error(`${progress.completed} of ${progress.total} tests ended in time`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Reads and writes, ten a second, while `work` runs. */
async function besideLatencies(side: Side, work: () => Promise<unknown>) {
  const [reads, writes]: [number[], number[]] = [[], []];
  let isOver = false;
  const requests = (async () => {
    while (!isOver) {
      const timed = async (into: number[], method: string, body?: object) => {
        const startMs = performance.now();
        await send(side, method, "/v0/topics", body);
        into.push(performance.now() - startMs);
      };
      await timed(reads, "GET");
      await timed(writes, "POST", { title: "Beside" });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await requests;
  return { reads, writes };
}

/** The time of a claim on a copy of the table, with few jobs and with many. */
async function claims(client: pg.Client): Promise<Measurement[]> {
  await client.query("DROP TABLE IF EXISTS public.bench_job");
  await client.query("CREATE TABLE public.bench_job (LIKE evaluation.job INCLUDING ALL)");
  // What a claim needs of it.
  const relayDatabase = {
    query: async ({ text, values }: pg.QueryConfig) => (await client.query(text, values)).rows,
  } as unknown as RelayDatabase;
  const jobs = new LeasedJobs<object>({
    relayDatabase,
    table: "public.bench_job",
    lane: "needs_model",
    columns: "kind",
  });
  const median = async () => {
    const took: number[] = [];
    for (let at = 0; at < 30; at++) {
      const startMs = performance.now();
      const claimed = await jobs.claim({
        ...{ lane: true, now: new Date(), leaseMs: 30_000, rowsMax: 32, perApplicationMax: 32 },
        ...{ running: new Map(), blocked: [], after: "00000000-0000-0000-0000-000000000000" },
      });
      took.push(performance.now() - startMs);
      if (claimed.length !== 32) throw new Error(`${claimed.length} jobs were claimed`);
    }
    return percentile(took, 50);
  };
  await addJobs(client, 1_000);
  const few = await median();
  await addJobs(client, 100_000);
  const many = await median();
  await client.query("DROP TABLE public.bench_job");
  return [{ what: "claim, 100,000 waiting", unit: "ms", value: many, beside: { what: "1,000", value: few } }];
}

async function addJobs(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO public.bench_job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at)
     SELECT $1, gen_random_uuid(), 'bench', 'JUDGE', gen_random_uuid(), true, now(), now() FROM generate_series(1, $2)`,
    [newId(), count],
  );
  await client.query("ANALYZE public.bench_job");
}

async function transactions(client: pg.Client): Promise<number> {
  // Counts are reported with a delay.
  await client.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await client.query("SELECT sum(xact_commit)::int AS count FROM pg_stat_database");
  return rows[0].count;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
async function send({ baseUrl, headers }: Side, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
