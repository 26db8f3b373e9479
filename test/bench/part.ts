// A part of the benchmark, and the comparison of this commit with another.

import type { Shape } from "../harness/product.ts";
import type { Version } from "./checkout.ts";
import { type Ground, type GroundOptions, startGround } from "./ground.ts";
import type { Figure, Measurement } from "./page.ts";
import { median } from "./statistics.ts";

export interface Bench {
  /** This commit, then the commit of `--compare`. */
  readonly versions: readonly Version[];
  readonly options: BenchOptions;
}

/** Options of the command line; each part has its own defaults. */
export interface BenchOptions {
  readonly seconds?: number;
  readonly rounds?: number;
  readonly connections: number;
  readonly repetitions?: number;
  readonly deliveries: number;
  readonly shapes: readonly Shape[];
  readonly evaluations: readonly number[];
  /** Number of steps in the month of reports on steps. */
  readonly steps: number;
  /** Numbers of rows in each list. */
  readonly rows: readonly number[];
  /** Evaluations in a year, and the final number of evaluations in ClickHouse. */
  readonly archived: readonly number[];
  readonly alone: number;
  /** For neighbors and endurance: requests per second of the quiet and the noisy tenant, noises, and duration. */
  readonly quiet: number;
  readonly noise: number;
  readonly noises: readonly string[] | undefined;
  readonly minutes: number;
}

export interface Part {
  readonly title: string;
  /** Description of the measurement and its baseline. */
  readonly note: string;
  /** Returns figures for a table, or the finished tables. */
  measure(bench: Bench): Promise<readonly Figure[] | string>;
}

/** One round of measurements on a running product; all rounds have the same figures. */
export type Round = () => Promise<readonly Measurement[]>;

/**
 * Opens the product of each version on its own ground, and measures the versions in turn. `open` hands everything that
 * it starts to `stack`.
 */
export async function inTurn(
  { versions }: Bench,
  rounds: number,
  open: (ground: Ground, stack: AsyncDisposableStack) => Promise<Round>,
  groundOptions?: GroundOptions,
): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const products: Round[] = [];
  for (const version of versions) products.push(await open(await startGround(version, stack, groundOptions), stack));
  return await roundsInTurn(products, rounds);
}

/**
 * Like `inTurn`, but with one product at a time, restarted for each round: of two running products, the first uses up
 * to 20 % more CPU time, even if both are of the same commit.
 */
export async function oneAtATime(
  { versions }: Bench,
  rounds: number,
  open: (ground: Ground, stack: AsyncDisposableStack) => Promise<Round>,
): Promise<Figure[]> {
  const products = versions.map(
    (version): Round =>
      async () => {
        await using stack = new AsyncDisposableStack();
        const round = await open(await startGround(version, stack), stack);
        return await round();
      },
  );
  return await roundsInTurn(products, rounds);
}

/**
 * Measures the products round by round, this commit's first and in opposite order every other round, so that the
 * machine's drift affects all of them. Returns medians.
 */
export async function roundsInTurn(products: readonly Round[], rounds: number): Promise<Figure[]> {
  const measured = products.map((round) => ({ round, rounds: [] as (readonly Measurement[])[] }));
  for (let at = 0; at < rounds; at++) {
    for (const product of at % 2 === 0 ? measured : measured.toReversed()) product.rounds.push(await product.round());
  }
  const [now = [], compared] = measured.map((product) => medians(product.rounds));
  return now.map((figure, at) => ({ ...figure, compared: compared?.[at] }));
}

function medians(rounds: readonly (readonly Measurement[])[]): Measurement[] {
  return (rounds[0] ?? []).map((first, at) => {
    const all = rounds.flatMap((round) => round[at] ?? []);
    const { baseline } = first;
    return {
      ...first,
      value: median(all.map(({ value }) => value)),
      ...(baseline && { baseline: { ...baseline, value: median(all.flatMap((each) => each.baseline?.value ?? [])) } }),
    };
  });
}
