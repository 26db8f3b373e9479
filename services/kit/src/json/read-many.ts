// Lists and maps. A zero value replaces a value with issues, so that issues of rules have the right indexes.

import type { IssueList } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { isText, type ValueReader } from "./read-scalar.ts";

type Read<Item> = (item: Item, issues: IssueList) => unknown;

/** A list over `max` is not read: it could have as many issues as the request has bytes. */
export function readList<Item>(
  items: readonly Item[],
  read: Read<Item>,
  zero: () => unknown,
  max: number,
  issues: IssueList,
): unknown[] | undefined {
  if (items.length > max) {
    issues.add("too_big", messages.size("Array", "at most", max));
    return undefined;
  }
  return items.map((item, index) => {
    issues.enter(index);
    const value = read(item, issues) ?? zero();
    issues.leave();
    return value;
  });
}

/** A map over `max` is not read either. */
export function readMap(
  map: Record<string, unknown>,
  { json, zero }: ValueReader,
  max: number,
  issues: IssueList,
): Record<string, unknown> | undefined {
  const pairs = Object.entries(map);
  if (pairs.length > max) {
    issues.add("too_big", messages.size("Object", "at most", max));
    return undefined;
  }
  const entries = pairs.map(([key, item]) => {
    issues.enter(key);
    isText(key, issues);
    const value = json(item, issues) ?? zero();
    issues.leave();
    return [key, value];
  });
  // Object.fromEntries keeps `__proto__` as a key.
  return Object.fromEntries(entries);
}
