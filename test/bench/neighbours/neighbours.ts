// Latency of a quiet tenant, alone and next to a tenant that overloads the product in every supported way.

import { type NoiseName, noiseNames } from "../../harness/noisy/index.ts";
import type { Counts } from "../../harness/noisy/noise.ts";
import { startNoise } from "../../harness/noisy/process.ts";
import type { Shape } from "../../harness/product.ts";
import { type Ground, startGround } from "../ground.ts";
import type { Part } from "../part.ts";
import { startNeighbourhood } from "./neighbourhood.ts";
import { type QuietResult, startQuiet } from "./quiet.ts";

/** Prints a page of its own, whose rows are the kinds of noise. */
export const neighbours: Part = {
  title: "Noisy neighbours",
  note: "",
  async measure({ versions: [version], options }) {
    if (version === undefined) return [];
    await using stack = new AsyncDisposableStack();
    await measureNeighbours(await startGround(version, stack), {
      shape: options.shapes[0] ?? "one",
      seconds: options.seconds ?? defaultSeconds,
      perSecond: options.quiet,
      noisePerSecond: options.noise,
      names: noiseNames.filter((name) => options.noises?.includes(name) ?? true),
    });
    return [];
  },
};

interface NeighboursOptions {
  readonly shape: Shape;
  readonly seconds: number;
  /** Requests per second of the quiet tenant, and maximum of the noisy one. */
  readonly perSecond: number;
  readonly noisePerSecond: number;
  readonly names: readonly NoiseName[];
}

interface Row {
  readonly situation: string;
  readonly quiet: QuietResult;
  readonly noise?: Counts;
}

/** With fewer than some hundred requests, a p99 is one of the two or three slowest requests. */
const defaultSeconds = 30;
const warmUpSeconds = 3;
/** The noise begins this long before the measurement, and ends after it. */
const aroundSeconds = 1;
/** Rows of the noisy tenant, read by its searches and reports. */
const noisyTasks = 20_000;
const quietTasks = 200;

async function measureNeighbours(ground: Ground, options: NeighboursOptions): Promise<void> {
  const { shape, seconds, perSecond, noisePerSecond, names } = options;
  const neighbourhood = await startNeighbourhood(shape, ground);
  try {
    const quiet = await startQuiet(await neighbourhood.tenant(quietTasks));
    await quiet.run(perSecond, warmUpSeconds);
    const rows: Row[] = [{ situation: "alone", quiet: await quiet.run(perSecond, seconds) }];
    for (const name of names) {
      // A new tenant, which has its full rate limit.
      const target = await neighbourhood.tenant(noisyTasks);
      const limits = { seconds: seconds + 2 * aroundSeconds, perSecondMax: noisePerSecond };
      const noise = await startNoise({ name, target, limits });
      await quiet.run(perSecond, aroundSeconds);
      const heard = await quiet.run(perSecond, seconds);
      rows.push({ situation: name, quiet: heard, noise: await noise.counts });
      if (neighbourhood.product.process.exitCode !== null) throw new Error("the product ended");
      // Wait until the previous noise is over.
      await quiet.run(perSecond, warmUpSeconds);
    }
    quiet.close();
    print(rows, options);
  } finally {
    await neighbourhood.stop();
  }
}

function print(rows: readonly Row[], { shape, seconds, perSecond }: NeighboursOptions): void {
  const aloneMs = rows[0]?.quiet.p99Ms ?? 0;
  const aimMs = 3 * aloneMs + 20;
  const name = shape === "one" ? "one process" : "a mesh";
  console.log(
    `\nA quiet tenant, ${perSecond} requests a second for ${seconds} s, next to a noisy one; ${name}, default limits.`,
  );
  console.log(`Aim: no errors, and a p99 of at most 3 times that of alone and 20 ms, ${aimMs.toFixed(1)} ms.`);
  console.table(
    Object.fromEntries(
      rows.map(({ situation, quiet: { p50Ms, p99Ms, errors }, noise }) => [
        situation,
        {
          "p50 ms": round(p50Ms),
          "p99 ms": round(p99Ms),
          "p99 ÷ alone": round(p99Ms / aloneMs),
          errors: inWords(errors) || "none",
          "the noisy one got": noise === undefined ? "" : inWords(noise),
          "meets the aim": Object.keys(errors).length === 0 && p99Ms <= aimMs ? "yes" : "NO",
        },
      ]),
    ),
  );
}

export function inWords(counts: Counts): string {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, times]) => `${status}: ${times}`)
    .join(", ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
