// Matches the items of two lists to each other.

import { findContained } from "@ems/assertions";

export interface Matched {
  /** Number of expected items that were found. */
  readonly found: number;
  /** Number of the output's items in which an expected item was found; at most `found`. */
  readonly used: number;
  /** For each expected value, the numbers of required and found items, in the order of the list. */
  readonly values: ReadonlyMap<string, { readonly need: number; readonly have: number }>;
}

/** Matches items that are equal. Each item is used at most once. */
export function matchEqual(expected: readonly string[], got: readonly string[]): Matched {
  const available = countItems(got);
  const values = new Map(
    [...countItems(expected)].map(([value, need]) => [
      value,
      { need, have: Math.min(need, available.get(value) ?? 0) },
    ]),
  );
  const found = addUp(values);
  return { found, used: found, values };
}

/** Maximum number of the output's items that are searched. */
export const containedMax = 1_000;

/**
 * Matches items that contain the expected value. An item may contain several values, each of which it matches once.
 */
export async function matchContained(expected: readonly string[], got: readonly string[]): Promise<Matched> {
  const values = [...countItems(expected)];
  const contained = await findContained(
    values.map(([value]) => value),
    got.slice(0, containedMax),
  );
  const counts = new Int32Array(values.length);
  for (const indexes of contained) for (const index of indexes) counts[index] = (counts[index] ?? 0) + 1;
  const matched = new Map(values.map(([value, need], at) => [value, { need, have: Math.min(need, counts[at] ?? 0) }]));
  const found = addUp(matched);
  return { found, used: Math.min(found, contained.filter(({ length }) => length > 0).length), values: matched };
}

function countItems(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const addUp = (values: Matched["values"]) => [...values.values()].reduce((sum, { have }) => sum + have, 0);
