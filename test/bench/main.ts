// `npm run bench`: one part after the other (throughput beside a bare Fastify + pg server with the same SQL, deliveries,
// operations, reporting beside plain SQL, memory at rest), and two that run only when `--only` names them (neighbours,
// endurance). What each measures stands at the top of its module and in test/README.md.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startNatsServer } from "@ems/dev/nats-server";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { natsServerBinary } from "../harness/nats.ts";
import { noiseNames } from "../harness/noisy/index.ts";
import { measureLatency } from "./deliveries/latency.ts";
import { measureDeliveries } from "./deliveries/measure.ts";
import { fill } from "./fill.ts";
import { measure, type Request } from "./measure.ts";
import { measureMemory } from "./memory.ts";
import { measureEndurance } from "./neighbours/endurance.ts";
import { measureNeighbours } from "./neighbours/neighbours.ts";
import { measureOperations } from "./operations.ts";
import { printComparison, printLatencies } from "./report.ts";
import { measureReporting } from "./reporting.ts";
import { type Side, startBareSide, startProductSide } from "./sides.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    repetitions: { type: "string", default: "30" },
    deliveries: { type: "string", default: "10000" },
    evaluations: { type: "string", default: "1000000,10000000" },
    shape: { type: "string", default: "one" },
    quiet: { type: "string", default: "20" },
    noise: { type: "string", default: "200" },
    noises: { type: "string" },
    minutes: { type: "string", default: "10" },
  },
});
const options = {
  seconds: Number(values.seconds ?? 4),
  rounds: Number(values.rounds),
  connections: Number(values.connections),
};
const repetitions = Number(values.repetitions);

const workloads: readonly { name: string; request: (side: Side) => Request }[] = [
  { name: "GET /v0/topics/{id}", request: ({ topicId }) => ({ method: "GET", path: `/v0/topics/${topicId}` }) },
  { name: "POST /v0/topics", request: () => ({ method: "POST", path: "/v0/topics", body: '{"title":"Benchmark"}' }) },
];

// In this order: the rows that operations are measured on are not to weigh on throughput.
const usual = { throughput, deliveries, operations, reporting, memory };
const parts = { ...usual, neighbours, endurance };
const selected = Object.entries(values.only === undefined ? usual : parts).filter(
  ([name]) => values.only === undefined || values.only === name,
);
if (selected.length === 0) throw new Error(`--only is ${Object.keys(parts).join(", ")}`);

const directory = await temporaryDir("ems-bench-");
const dataDir = join(directory, "product");
const postgres = await startEmbeddedPostgres({ dataDir: join(directory, "postgres") });
const nats = await startNatsServer({
  binary: await natsServerBinary(),
  dir: join(directory, "nats"),
  user: "ems",
  password: "only-in-the-bench",
});
const ground = { postgresUrl: postgres.url, natsUrl: nats.url, dataDir };
try {
  for (const [, part] of selected) {
    const sides: Side[] = [];
    try {
      await part(sides);
    } finally {
      for (const side of sides.reverse()) await side.stop();
    }
  }
} finally {
  await nats.stop();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);

/** Notes in `sides` what it starts. */
async function throughput(sides: Side[]): Promise<void> {
  const one = await startProductSide("(a) one process", "one", ground);
  sides.push(one);
  sides.push(await startProductSide("(b) mesh", "mesh", ground));
  sides.push(await startBareSide("(c) bare Fastify + pg", one, "same"));
  sides.push(await startBareSide("(d) bare, one statement", one, "plain"));

  console.log(
    `${options.connections} connections; ${options.rounds} rounds of ${options.seconds} s a side, in turn; medians.`,
  );
  for (const { name, request } of workloads) {
    const results = await measure(sides, request, postgres.pid, options);
    printComparison(name, results);
  }
}

async function deliveries(): Promise<void> {
  const count = Number(values.deliveries);
  console.log(`\nDeliveries of webhooks, ${count} that are due; a dead receiver has as many again in its queue.`);
  console.table(await measureDeliveries(ground, count));
  console.log("\nAn event's way through the mesh: from the change over the API, or from the outbox, to the receiver.");
  console.table([await measureLatency(ground, options.seconds, count)]);
}

/** Notes in `sides` what it starts. */
async function operations(sides: Side[]): Promise<void> {
  const one = await startProductSide("one process", "one", ground);
  sides.push(one);
  const filled = await fill(one, one.adminUrl);
  console.log(`\nOne process, one request at a time, ${repetitions} repetitions.`);
  printLatencies(await measureOperations(one, filled, repetitions));
}

async function reporting(): Promise<void> {
  for (const evaluations of values.evaluations.split(",")) await measureReporting(Number(evaluations), repetitions);
}

async function memory(): Promise<void> {
  console.log("\nIdle memory.");
  console.table(await measureMemory(join(directory, "memory"), nats.url));
}

async function neighbours(): Promise<void> {
  await measureNeighbours(ground, {
    shape: values.shape === "mesh" ? "mesh" : "one",
    seconds: Number(values.seconds ?? 10),
    perSecond: Number(values.quiet),
    noisePerSecond: Number(values.noise),
    names: noiseNames.filter((name) => values.noises === undefined || values.noises.split(",").includes(name)),
  });
}

async function endurance(): Promise<void> {
  await measureEndurance(ground, { minutes: Number(values.minutes), noisePerSecond: Number(values.noise) });
}
