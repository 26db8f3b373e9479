// Cost of running tests: alone, with a model that answers at once, and the effect on the API.

import pg from "pg";
import type { Shape } from "../../harness/product.ts";
import type { Ground } from "../ground.ts";
import { openLoop } from "../open-loop.ts";
import type { Measurement } from "../page.ts";
import { inTurn, type Part, type Round } from "../part.ts";
import { cpuUs, getFamily, untilIdle } from "../processes.ts";
import { type ProductSide, startProductSide } from "../sides.ts";
import { percentile } from "../statistics.ts";
import { startScript } from "./background.ts";
import { claims } from "./claims.ts";
import { statementCounts } from "./statement-counts.ts";
import { linkComparison, linkJudgement, runTests, send } from "./tests.ts";

export const evaluation: Part = {
  title: "Execution of tests",
  note: `Tests that are triggered and delivered, and whose traces arrive by ingestion, fifty a request, from the trigger to the end of
their run. Alone: 1,000 that OUTPUT_MATCH judges, with statements as PostgreSQL counts them (BEGIN, COMMIT and scope are
statements, too). With a model: 300 that CUSTOM judges by a scripted model, a process of its own that answers at once. Beside the
API: twice 1,000 at the pace of 100 a second, while 25 reads and 25 writes of the same application a second are due. Then claims of 32
jobs.`,
  measure: async ({ versions, options }) => {
    const figures = [];
    for (const shape of options.shapes) {
      const measured = await inTurn(
        { versions, options },
        options.rounds ?? 1,
        (ground, stack) => open(shape, ground, stack, options.seconds ?? 20),
        { postgres: { shared_preload_libraries: "pg_stat_statements" } },
      );
      figures.push(...measured.map((figure) => ({ ...figure, what: `${shapeNames[shape]}: ${figure.what}` })));
    }
    return figures;
  },
};

const shapeNames: Readonly<Record<Shape, string>> = { one: "one process", mesh: "mesh" };
const testsAlone = 1_000;
const testsWithModel = 300;
const concurrentRuns = 2;
const testsPerSecond = 100;
/** Number of reads per second, and of writes. */
const apiPerSecond = 25;

interface Opened {
  readonly side: ProductSide;
  readonly client: pg.Client;
  readonly compared: string;
  readonly judged: string;
}

async function open(shape: Shape, ground: Ground, stack: AsyncDisposableStack, seconds: number): Promise<Round> {
  const receiver = JSON.parse(await startScript("receiver-process.ts", stack));
  const settings = { ...receiver.env, MODEL_ALLOW_CIDRS: "127.0.0.0/8", ...(shape === "one" && { NATS_URL: "" }) };
  const side = await startProductSide(shape, ground, stack, settings);
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  await send(side, "POST", "/v0/webhook", { url: receiver.url });
  const opened = { side, client, compared: await linkComparison(side), judged: await linkJudgement(side, stack) };
  // Warm-up: V8 optimizes frequent code, and connections prepare their statements.
  await runTests(side, opened.compared, 200);
  return async () => [...(await alone(opened)), ...(await withModel(opened)), ...(await withApiLoad(opened, seconds))];
}

/** Measures the loop without other load. */
async function alone({ side, client, compared }: Opened): Promise<Measurement[]> {
  const idle = () => untilIdle([...side.pids, side.postgresPid]);
  await idle();
  const statements = await statementCounts(client);
  const own = () => cpuUs(side.pids);
  const postgres = () => cpuUs(getFamily(side.postgresPid));
  const before = { own: own(), postgres: postgres(), transactions: await transactions(client) };
  const seconds = await runTests(side, compared, testsAlone);
  await idle();
  const spent = { own: own() - before.own, postgres: postgres() - before.postgres };
  const ran = (await transactions(client)) - before.transactions;
  return [
    { what: "tests", unit: "/s", value: testsAlone / seconds },
    { what: "CPU of a test", unit: "µs", value: (spent.own + spent.postgres) / testsAlone },
    { what: "of it PostgreSQL", unit: "µs", value: spent.postgres / testsAlone },
    { what: "statements", unit: "a test", value: (await statements()) / testsAlone },
    { what: "transactions", unit: "a test", value: ran / testsAlone },
  ];
}

async function withModel({ side, judged }: Opened): Promise<Measurement[]> {
  const seconds = await runTests(side, judged, testsWithModel);
  return [{ what: "evaluations by a model that answers at once", unit: "/s", value: testsWithModel / seconds }];
}

async function withApiLoad({ side, client, compared }: Opened, seconds: number): Promise<Measurement[]> {
  await untilIdle([...side.pids, side.postgresPid]);
  const undisturbed = await latencies(side, seconds);
  const startMs = performance.now();
  const [during, took] = await Promise.all([latencies(side, seconds), runsAtPace(side, compared)]);
  // Requests after the end of the load do not count.
  const loadedMs = Math.min(took * 1_000, performance.now() - startMs);
  const requests = Math.ceil((loadedMs / 1_000) * apiPerSecond);
  return [
    { what: "tests with API load", unit: "/s", value: (concurrentRuns * testsAlone) / took },
    ...p99("read", during.reads.slice(0, requests), undisturbed.reads),
    ...p99("write", during.writes.slice(0, requests), undisturbed.writes),
    ...(await claims(client)),
  ];
}

async function runsAtPace(side: ProductSide, taskId: string): Promise<number> {
  let seconds = 0;
  for (let ran = 0; ran < concurrentRuns; ran++) seconds += await runTests(side, taskId, testsAlone, testsPerSecond);
  return seconds;
}

function p99(what: string, during: readonly number[], undisturbed: readonly number[]): Measurement[] {
  const value = percentile([...during], 99);
  const alone = percentile([...undisturbed], 99);
  return [{ what: `${what}, p99`, unit: "ms", value, baseline: { what: "alone", value: alone } }];
}

/** Measures latencies of reads and writes at a fixed rate. */
async function latencies(side: ProductSide, seconds: number) {
  const [reads, writes] = await Promise.all([
    openLoop(apiPerSecond, seconds, () => send(side, "GET", "/v0/topics")),
    openLoop(apiPerSecond, seconds, () => send(side, "POST", "/v0/topics", { title: "Beside" })),
  ]);
  return { reads, writes };
}

async function transactions(client: pg.Client): Promise<number> {
  // PostgreSQL reports counts with a delay.
  await client.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await client.query("SELECT sum(xact_commit)::int AS count FROM pg_stat_database");
  return rows[0].count;
}
