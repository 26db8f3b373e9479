// A part of the benchmark, and how it measures this commit and another in turn.

import type { Shape } from "../harness/product.ts";
import type { Version } from "./checkout.ts";
import { type Ground, type GroundOptions, startGround } from "./ground.ts";
import type { Figure, Measurement } from "./page.ts";
import { median } from "./statistics.ts";

export interface Bench {
  /** This commit, then that of `--compare`. */
  readonly versions: readonly Version[];
  readonly options: BenchOptions;
}

/** From the command line; a part has its own default for what is not there. */
export interface BenchOptions {
  readonly seconds?: number;
  readonly rounds?: number;
  readonly connections: number;
  readonly repetitions?: number;
  readonly deliveries: number;
  readonly shapes: readonly Shape[];
  readonly evaluations: readonly number[];
  /** Rows of each list. */
  readonly rows: readonly number[];
  /** Evaluations of a year, and the number of them that end in ClickHouse. */
  readonly archived: readonly number[];
  readonly alone: number;
  /** Requests a second of the quiet and the noisy tenant, the noises, and their duration, for neighbors and endurance. */
  readonly quiet: number;
  readonly noise: number;
  readonly noises: readonly string[] | undefined;
  readonly minutes: number;
}

export interface Part {
  readonly title: string;
  /** Measurement and baseline of the part. */
  readonly note: string;
  /** Answers what was measured, for a table; or the tables. */
  measure(bench: Bench): Promise<readonly Figure[] | string>;
}

/** One round on a product that runs; each has the same figures. */
export type Round = () => Promise<readonly Measurement[]>;

/**
 * Opens the product of each version on a ground of its own and measures them in turn. What `open` starts it hands to
 * `stack`.
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
 * As `inTurn`, with one product at a time, which is started again for each round. When two run at once, the first one uses up to
 * 20 % more CPU time, even if both are of the same commit.
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
 * Measures the products, this commit's first, round by round, in the opposite order each time, so that a drift of the
 * machine meets all of them; medians.
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
