// Edit distance (Levenshtein): the smallest number of characters to insert, delete or replace.

import { Slices } from "./slices.ts";

/** Maximum number of steps of one assertion: some hundred milliseconds, with pauses. */
export const stepsMax = 50_000_000;

/**
 * Returns the distance if it is at most `max`, else Infinity; undefined if computing it would take too long. Only
 * cells that are at most `max` from the diagonal are computed (Ukkonen), by code points.
 */
export async function editDistance(
  a: string,
  b: string,
  max: number,
  budget = { steps: stepsMax },
): Promise<number | undefined> {
  const [left, right] = withoutCommonEnds([...a], [...b]);
  const [rows, columns] = [left.length, right.length];
  if (Math.abs(rows - columns) > max) return Infinity;
  if (rows === 0 || columns === 0) return Math.max(rows, columns);
  const bound = Math.min(max, Math.max(rows, columns));
  budget.steps -= rows * Math.min(columns, 2 * bound + 1);
  if (budget.steps < 0) return undefined;
  const slices = new Slices();
  let above = Float64Array.from({ length: columns + 1 }, (_, column) => (column <= bound ? column : Infinity));
  let current = new Float64Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    const [from, to] = [Math.max(1, row - bound), Math.min(columns, row + bound)];
    current.fill(Infinity, Math.max(0, from - 1), Math.min(columns, to + 1) + 1);
    if (row <= bound) current[0] = row;
    let best = row <= bound ? row : Infinity;
    for (let column = from; column <= to; column++) {
      const replaced = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const cost = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current[column] = cost;
      if (cost < best) best = cost;
    }
    if (best > bound) return Infinity;
    [above, current] = [current, above];
    if (slices.isOver(to - from + 1)) await slices.next();
  }
  const distance = above[columns] ?? Infinity;
  return distance <= max ? distance : Infinity;
}

function withoutCommonEnds(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
