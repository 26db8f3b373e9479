// Matches the items of two lists to each other; each item is used at most once.

import { findContained } from "../text-search/contained-values.ts";
import { Slices } from "../text-search/slices.ts";
import { maximumFlow } from "./maximum-flow.ts";

export interface Matched {
  readonly tp: number;
  /** For each expected value, the numbers of required and found items, in the order of the list. */
  readonly values: ReadonlyMap<string, { readonly need: number; readonly have: number }>;
}

/** Matches items that are equal. */
export function matchEqual(expected: readonly string[], got: readonly string[]): Matched {
  const available = countItems(got);
  const values = new Map(
    [...countItems(expected)].map(([value, need]) => [
      value,
      { need, have: Math.min(need, available.get(value) ?? 0) },
    ]),
  );
  return { tp: addUp(values), values };
}

/** Maximum number of the output's items that are searched. */
export const containedMax = 1_000;

/** Matches items that contain the expected value. Finds the largest number of pairs, so order does not matter. */
export async function matchContained(expected: readonly string[], got: readonly string[]): Promise<Matched> {
  const slices = new Slices();
  const values = [...countItems(expected)];
  const items = [...countItems(got.slice(0, containedMax))];
  const contained = await findContained(
    values.map(([value]) => value),
    items.map(([item]) => item),
    slices,
  );
  const itemsWith: number[][] = values.map(() => []);
  for (const [item, found] of contained.entries()) for (const value of found) itemsWith[value]?.push(item);
  const pairs = await maximumFlow(
    values.map(([, count]) => count),
    items.map(([, count]) => count),
    itemsWith,
    slices,
  );
  const matched = new Map(values.map(([value, need], at) => [value, { need, have: pairs[at] ?? 0 }]));
  return { tp: addUp(matched), values: matched };
}

export function countItems(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const addUp = (values: Matched["values"]) => [...values.values()].reduce((sum, { have }) => sum + have, 0);
