// Lists and maps. A value with issues leaves its place to a zero value: the others keep theirs, so that the rules' issues
// name the right ones.

import type { IssueList } from "./issue.ts";
import * as texts from "./issue-messages.ts";
import { isText, type ValueReader } from "./read-scalar.ts";

type Read<Item> = (item: Item, at: IssueList) => unknown;

/** A list over `max` is not read at all: its elements could earn as many issues as a request has bytes. */
export function readList<Item>(
  items: readonly Item[],
  read: Read<Item>,
  zero: () => unknown,
  max: number,
  at: IssueList,
): unknown[] | undefined {
  if (items.length > max) {
    at.add("too_big", texts.size("Array", "at most", max));
    return undefined;
  }
  return items.map((item, index) => {
    at.enter(index);
    const value = read(item, at) ?? zero();
    at.leave();
    return value;
  });
}

/** A map over `max` is not read at all either. */
export function readMap(
  map: Record<string, unknown>,
  { json, zero }: ValueReader,
  max: number,
  at: IssueList,
): Record<string, unknown> | undefined {
  const pairs = Object.entries(map);
  if (pairs.length > max) {
    at.add("too_big", texts.size("Object", "at most", max));
    return undefined;
  }
  const entries = pairs.map(([key, item]) => {
    at.enter(key);
    isText(key, at);
    const value = json(item, at) ?? zero();
    at.leave();
    return [key, value];
  });
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(entries);
}
