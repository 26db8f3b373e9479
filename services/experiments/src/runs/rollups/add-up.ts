// Computes the changes to a rollup's rows that follow from changes of results. Pure.

import type { Rollup } from "./rollups.ts";

/** A result that was added, removed or changed. Its row is locked or new. */
export interface Change<Result> {
  readonly before?: Result | undefined;
  readonly after?: Result | undefined;
}

/** Change to one row of a rollup. */
export interface Delta {
  readonly applicationId: string;
  readonly orgId: string;
  readonly key: readonly string[];
  readonly sums: bigint[];
  /** Least and greatest value that was added, for each bound. */
  readonly came: [least: bigint | null, greatest: bigint | null][];
  /** Least and greatest value that was removed, for each bound. */
  readonly left: [least: bigint | null, greatest: bigint | null][];
  latest: Date | undefined;
}

/** Returns the deltas in the order of their keys, without rows that do not change. */
export function addUp<Result extends { applicationId: string; orgId: string }>(
  rollup: Rollup<Result>,
  changes: readonly Change<Result>[],
): Delta[] {
  const deltas = new Map<string, Delta>();
  for (const { before, after } of changes) {
    if (before !== undefined) add(deltas, rollup, before, -1n);
    if (after !== undefined) add(deltas, rollup, after, 1n);
  }
  return [...deltas]
    .filter(([, delta]) => isChange(delta))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, delta]) => delta);
}

function add<Result extends { applicationId: string; orgId: string }>(
  deltas: Map<string, Delta>,
  rollup: Rollup<Result>,
  result: Result,
  sign: 1n | -1n,
): void {
  const key = rollup.key.map(([, , of]) => of(result));
  const delta = buildDelta(deltas, rollup, result, key);
  for (const [index, [, of]] of rollup.sums.entries())
    delta.sums[index] = (delta.sums[index] ?? 0n) + sign * of(result);
  for (const [index, { of }] of rollup.bounds.entries()) {
    const value = of(result);
    const range = (sign === 1n ? delta.came : delta.left)[index];
    if (value === null || range === undefined) continue;
    if (range[0] === null || value < range[0]) range[0] = value;
    if (range[1] === null || value > range[1]) range[1] = value;
  }
  const time = sign === 1n ? rollup.latest?.[1](result) : undefined;
  if (time !== undefined && (delta.latest === undefined || time > delta.latest)) delta.latest = time;
}

function buildDelta<Result extends { applicationId: string; orgId: string }>(
  deltas: Map<string, Delta>,
  { sums, bounds }: Rollup<Result>,
  { applicationId, orgId }: Result,
  key: readonly string[],
): Delta {
  const name = `${applicationId} ${key.join(" ")}`;
  const registered = deltas.get(name);
  if (registered !== undefined) return registered;
  const delta: Delta = {
    applicationId,
    orgId,
    key,
    latest: undefined,
    sums: sums.map(() => 0n),
    came: bounds.map(() => [null, null]),
    left: bounds.map(() => [null, null]),
  };
  deltas.set(name, delta);
  return delta;
}

/** Returns true if the row changes. A bound does not change if the same value was removed and added. */
function isChange({ sums, came, left }: Delta): boolean {
  const isMoved = came.some(([least, greatest], index) => least !== left[index]?.[0] || greatest !== left[index]?.[1]);
  return isMoved || sums.some((sum) => sum !== 0n);
}
