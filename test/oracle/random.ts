// Seeded random values: a failure can be reproduced from its seed.

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Random {
  /** Returns an integer between `from` and `to`, both included. */
  int(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns at most that many different items, in random order. */
  sample<Item>(items: readonly Item[], howMany: number): Item[];
  /** True with this probability. */
  is(share: number): boolean;
}

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const int = (from: number, to: number) => uniformInt(generator, from, to);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const sample = <Item>(items: readonly Item[], howMany: number): Item[] => {
    const left = [...items];
    const chosen: Item[] = [];
    while (chosen.length < howMany && left.length > 0) chosen.push(...left.splice(int(0, left.length - 1), 1));
    return chosen;
  };
  return { int, pick, sample, is: (share) => int(0, 9_999) < share * 10_000 };
}
