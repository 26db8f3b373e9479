// Seeded random numbers, ids and times: the same seed creates the same data.

import { createHash } from "node:crypto";
import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Random {
  /** Returns an integer from `from` to `to`, inclusive. */
  int(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns `howMany` different random items, in their original order. */
  some<Item>(items: readonly Item[], howMany: number): Item[];
  /** Returns true with the probability `share`, from 0 to 1. */
  boolean(share: number): boolean;
}

export function seededRandom(seed: string): Random {
  const generator = xoroshiro128plus(createHash("sha256").update(seed).digest().readInt32BE());
  const int = (from: number, to: number) => uniformInt(generator, from, to);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const pickSome = <Item>(items: readonly Item[], howMany: number): Item[] => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(howMany, items.length)) chosen.add(int(0, items.length - 1));
    return items.filter((_, index) => chosen.has(index));
  };
  return { int, pick, some: pickSome, boolean: (share) => int(0, 9_999) < share * 10_000 };
}

/** Creates a clock that shows a fixed time until `moveTo` sets another. */
export function settableClock(start: Date): Clock & { moveTo(time: Date): void } {
  let now = start;
  return {
    now: () => now,
    moveTo: (time) => {
      now = time;
    },
  };
}

/** Creates deterministic UUIDv7s that increase with the clock and, by a counter, within a millisecond. */
export function seededIds(seed: string, clock: Clock): NewId {
  let count = 0;
  return () => {
    count++;
    const id = Buffer.alloc(16);
    id.writeUIntBE(clock.now().getTime(), 0, 6);
    // UUID version and variant, each followed by bits of the counter: 12 and 14.
    id.writeUInt16BE(0x7000 | ((count >> 14) & 0x0fff), 6);
    id.writeUInt16BE(0x8000 | (count & 0x3fff), 8);
    createHash("sha256").update(`${seed}/${count}`).digest().copy(id, 10, 0, 6);
    const hex = id.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
}
