// Runs every noise for minutes against a process with the chart's memory limit: it survives, never answers 500, and
// releases the memory.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type NoiseName, noiseNames } from "../../harness/noisy/index.ts";
import { type Counts, type NoisyTarget, until } from "../../harness/noisy/noise.ts";
import { startNoise } from "../../harness/noisy/process.ts";
import { type Ground, startGround } from "../ground.ts";
import type { Part } from "../part.ts";
import { type ControlGroup, makeControlGroup } from "./control-group.ts";
import { type Neighbourhood, startNeighbourhood } from "./neighbourhood.ts";
import { inWords } from "./neighbours.ts";
import { askForMemory, type Memory } from "./preload.ts";
import { type QuietTenant, startQuiet } from "./quiet.ts";

/** Prints a page of its own. */
export const endurance: Part = {
  title: "Endurance",
  note: "",
  async measure({ versions: [version], options: { minutes, noise } }) {
    if (version === undefined) return [];
    await using stack = new AsyncDisposableStack();
    await measureEndurance(await startGround(version, stack), { minutes, noisePerSecond: noise });
    return [];
  },
};

interface EnduranceOptions {
  readonly minutes: number;
  readonly noisePerSecond: number;
}

const mebibyte = 1024 * 1024;
/** Memory limit of a process in the chart, from which Node.js derives its heap limit. */
const limitBytes = 512 * mebibyte;
const heapMiB = 256;
/** Durations of each noise alone, and of all together. */
const [aloneSeconds, togetherSeconds] = [5, 20];
const firstLookMs = 120_000;
/** Time until closed connections, short-lived caches and unread answers are gone. */
const quietMs = 20_000;
const quietPerSecond = 5;
const [noisyTasks, quietTasks] = [20_000, 200];

async function measureEndurance(ground: Ground, { minutes, noisePerSecond }: EnduranceOptions): Promise<void> {
  const group = makeControlGroup(limitBytes);
  const neighbourhood = await startNeighbourhood("one", ground, {
    NODE_OPTIONS: [
      `--max-old-space-size=${heapMiB}`,
      "--max-semi-space-size=4",
      `--import=${pathToFileURL(join(import.meta.dirname, "preload.ts"))}`,
    ].join(" "),
    MALLOC_ARENA_MAX: "1",
    ...(group && { BENCH_CONTROL_GROUP: group.procs }),
  });
  try {
    const quiet = await startQuiet(await neighbourhood.tenant(quietTasks));
    const run = new Run(neighbourhood, quiet, noisePerSecond);
    const startMs = performance.now();
    const lastMs = startMs + minutes * 60_000;
    await run.makeNoise(Math.min(startMs + firstLookMs, lastMs));
    const first = await run.memory();
    await run.makeNoise(lastMs);
    const last = await run.memory();
    quiet.close();
    const { pid = 0 } = neighbourhood.product.process;
    print({ minutes, first, last, run, group, peakRssKb: peakRssKb(pid) });
  } finally {
    await neighbourhood.stop();
    group?.remove();
  }
}

class Run {
  readonly noisy: Counts = {};
  readonly quietGot: Counts = {};
  readonly #neighbourhood: Neighbourhood;
  readonly #quiet: QuietTenant;
  readonly #perSecondMax: number;
  readonly #tenants = new Map<NoiseName, NoisyTarget>();

  constructor(neighbourhood: Neighbourhood, quiet: QuietTenant, perSecondMax: number) {
    this.#neighbourhood = neighbourhood;
    this.#quiet = quiet;
    this.#perSecondMax = perSecondMax;
  }

  /** Makes one noise after the other, then all at once, repeatedly until then. */
  async makeNoise(untilMs: number): Promise<void> {
    const rounds = [...noiseNames.map((name) => [name]), noiseNames];
    for (let turn = 0; performance.now() < untilMs; turn++) {
      const names = rounds[turn % rounds.length] ?? noiseNames;
      const leftSeconds = Math.ceil((untilMs - performance.now()) / 1_000);
      await this.#turn(names, Math.min(leftSeconds, names.length === 1 ? aloneSeconds : togetherSeconds));
    }
  }

  async #turn(names: readonly NoiseName[], seconds: number): Promise<void> {
    const limits = { seconds, perSecondMax: this.#perSecondMax };
    const noises = await Promise.all(
      names.map(async (name) => {
        // Each noise has its own tenant, which it keeps.
        const target = this.#tenants.get(name) ?? (await this.#neighbourhood.tenant(noisyTasks));
        this.#tenants.set(name, target);
        return startNoise({ name, target, limits });
      }),
    );
    const [{ answers }, ...counts] = await Promise.all([
      this.#quiet.run(quietPerSecond, seconds),
      ...noises.map((noise) => noise.counts),
    ]);
    add(this.quietGot, answers);
    for (const each of counts) add(this.noisy, each);
    const { exitCode, signalCode } = this.#neighbourhood.product.process;
    if (exitCode !== null || signalCode !== null)
      throw new Error(
        `the process ended (${exitCode ?? signalCode}):\n${this.#neighbourhood.product.stderr().slice(-4_000)}`,
      );
  }

  /** Returns the memory after a pause and a forced collection. */
  async memory(): Promise<Memory> {
    await until(performance.now() + quietMs);
    const { process: child } = this.#neighbourhood.product;
    const memory = new Promise<Memory>((resolve) => {
      const hear = (message: unknown) => {
        if (typeof message !== "object" || message === null || !("memory" in message)) return;
        child.off("message", hear);
        // The preloaded script sends no other message.
        resolve(message.memory as Memory);
      };
      child.on("message", hear);
    });
    child.send(askForMemory);
    return memory;
  }
}

function add(sum: Counts, more: Counts): void {
  for (const [what, times] of Object.entries(more)) sum[what] = (sum[what] ?? 0) + times;
}

/** Returns the peak resident memory of the process. */
function peakRssKb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
}

interface Outcome {
  readonly minutes: number;
  readonly first: Memory;
  readonly last: Memory;
  readonly run: Run;
  readonly group: ControlGroup | undefined;
  readonly peakRssKb: number;
}

function print({ minutes, first, last, run, group, peakRssKb: peakKb }: Outcome): void {
  const held = group === undefined ? "by the heap's limit alone" : "by a control group";
  console.log(
    `\nOne process held to ${limitBytes / mebibyte} MiB ${held}, a heap of ${heapMiB} MiB, ${minutes} minutes of every noise.`,
  );
  const row = (of: (memory: Memory) => number) => ({
    "MiB after 2 minutes": inMiB(of(first)),
    "MiB at the end": inMiB(of(last)),
    ratio: Math.round((of(last) / of(first)) * 100) / 100,
    "within 20 %": Math.abs(of(last) / of(first) - 1) <= 0.2 ? "yes" : "NO",
  });
  console.table({
    "heap after a collection": row(({ heapBytes }) => heapBytes),
    "external after a collection": row(({ externalBytes }) => externalBytes),
    "heap and external": row(({ heapBytes, externalBytes }) => heapBytes + externalBytes),
    RSS: row(({ rssBytes }) => rssBytes),
  });
  const peak = group === undefined ? "" : `, of its control group ${inMiB(group.peakBytes())} MiB`;
  console.log(`The most at any time: RSS ${inMiB(peakKb * 1024)} MiB${peak}.`);
  console.log(`The quiet tenant got ${inWords(run.quietGot)}.`);
  console.log(`The noisy ones got ${inWords(run.noisy)}.`);
  const defects = (run.quietGot["500"] ?? 0) + (run.noisy["500"] ?? 0);
  console.log(`The process lived; answers with 500: ${defects}.`);
}

function inMiB(bytes: number): number {
  return Math.round((bytes / mebibyte) * 10) / 10;
}
