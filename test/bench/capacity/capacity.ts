// Cost of a trace in each process of the mesh and PostgreSQL, and the needs of 100, 1,000 and 10,000 traces per second.

import { startGround } from "../ground.ts";
import type { Bench, Part } from "../part.ts";
import {
  computeNeed,
  computeStepCost,
  computeTraceCost,
  type Load,
  type Need,
  perTrace,
  spenders,
  type UnitCost,
  type Units,
  utilisation,
} from "./plan.ts";
import { measureUnits } from "./unit-costs.ts";

export const capacity: Part = {
  title: "Capacity",
  note: `The mesh with NATS: what one of each costs until all processes are idle, without what they take at rest. Traces in batches of 100 (OTLP/protobuf, 1 KB of different words a step),
tests with two evaluations in requests of 1,000, traces of three steps read by id, events from a full outbox to a webhook with TLS.
A step is (12 steps − 3 steps) ÷ 9, a trace itself is what three of them leave of a trace of 3 steps.`,
  measure: measureCapacity,
};

/** Default load per trace. */
const load: Load = { steps: 5, tests: 0.05, events: 0.05, reads: 0.2 };
/** Settings of a server with such a load: right after a checkpoint, the log contains whole pages. */
const checkpoints = { max_wal_size: "8GB", checkpoint_timeout: "30min" };
const rates = [100, 1_000, 10_000];

async function measureCapacity({ versions: [version], options }: Bench): Promise<string> {
  if (version === undefined) throw new Error("there is no version");
  await using stack = new AsyncDisposableStack();
  const ground = await startGround(version, stack, { postgres: checkpoints });
  const units = await measureUnits(ground, stack, options.seconds ?? 10);
  const rest = spenders.map((name) => `${name} ${(units.rest[name] / 1e6).toFixed(3)}`).join(", ");
  const atRest = `Cores that one of each takes at rest: ${rest}.\n`;
  return [costsTable(units), atRest, needsTable(rates.map((rate) => computeNeed(units, load, rate)))].join("\n");
}

function costsTable(units: Units): string {
  const columns: [string, UnitCost][] = [
    ["a trace of 3 steps", units.short.cost],
    ["of 12 steps", units.long.cost],
    ["a trace itself", computeTraceCost(units, 0)],
    ["a step", computeStepCost(units)],
    ["a test", units.test],
    ["an event", units.event],
    ["a read", units.read],
    ["a trace with all", perTrace(units, load)],
  ];
  const row = (name: string, of: (cost: UnitCost) => string) => line([name, ...columns.map(([, cost]) => of(cost))]);
  return table(
    ["", ...columns.map(([name]) => name)],
    [
      ...spenders.map((name) => row(`${name}, µs`, ({ cpuUs }) => integer(cpuUs[name]))),
      row("disk, bytes", ({ diskBytes }) => integer(diskBytes)),
      row("write-ahead log, bytes", ({ walBytes }) => integer(walBytes)),
      row("bodies, bytes", ({ bodyBytes }) => integer(bodyBytes)),
    ],
  );
}

function needsTable(needs: readonly Need[]): string {
  const row = (name: string, of: (need: Need) => string) => line([name, ...needs.map(of)]);
  const { steps, tests, events, reads } = load;
  return `With each trace of ${steps} steps: ${tests} tests, ${events} events to a webhook, ${reads} reads. Cores at ${utilisation * 100} % of their time.

${table(
  ["traces a second", ...needs.map(({ tracesPerSecond }) => integer(tracesPerSecond))],
  [
    ...spenders
      .filter((name) => name !== "PostgreSQL" && name !== "NATS")
      .map((name) =>
        row(
          `${name}: processes (cores at work)`,
          ({ processes, cores }) => `${processes[name]} (${cores[name].toFixed(1)})`,
        ),
      ),
    row("NATS: cores at work", ({ cores }) => cores.NATS.toFixed(2)),
    row("PostgreSQL: cores to have", ({ postgresCores }) => postgresCores.toFixed(1)),
    row("connections", ({ connections }) => integer(connections)),
    row("disk, GB a day", ({ diskGbPerDay }) => integer(diskGbPerDay)),
    row("disk, TB in 30 days", ({ diskGbPerDay }) => ((diskGbPerDay * 30) / 1_000).toFixed(1)),
    row("write-ahead log, MB/s", ({ walMbPerSecond }) => walMbPerSecond.toFixed(1)),
    row("bodies in, MB/s", ({ bodyMbPerSecond }) => bodyMbPerSecond.toFixed(1)),
    row("events a second", ({ eventsPerSecond }) => integer(eventsPerSecond)),
  ],
)}`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows, ""].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function integer(value: number): string {
  // A measured difference may be negative.
  return Math.max(0, Math.round(value)).toLocaleString("en-US");
}
