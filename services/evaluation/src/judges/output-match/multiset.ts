// Items of two lists that are matched to each other, each at most once.

export interface Matched {
  readonly tp: number;
  /** Of each expected value, how many there are to be and how many were found, in the order of the list. */
  readonly values: ReadonlyMap<string, { readonly need: number; readonly have: number }>;
}

/** Equal items. */
export function matchEqual(expected: readonly string[], got: readonly string[]): Matched {
  const available = countsOf(got);
  const values = new Map(
    [...countsOf(expected)].map(([value, need]) => [value, { need, have: Math.min(need, available.get(value) ?? 0) }]),
  );
  return { tp: sumOf(values), values };
}

/** Got items beyond are not searched: each is compared with each expected one. */
export const containedMax = 1_000;

/** Items that contain the expected one: as many pairs as there can be, so that no order matters. */
export function matchContained(expected: readonly string[], got: readonly string[]): Matched {
  const values = [...countsOf(expected)];
  const items = [...countsOf(got.slice(0, containedMax))];
  const pairs = maximumFlow(
    values.map(([, count]) => count),
    items.map(([, count]) => count),
    values.map(([value]) => items.flatMap(([item], at) => (item.includes(value) ? [at] : []))),
  );
  const matched = new Map(values.map(([value, need], at) => [value, { need, have: pairs[at] ?? 0 }]));
  return { tp: sumOf(matched), values: matched };
}

export function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const sumOf = (values: Matched["values"]) => [...values.values()].reduce((sum, { have }) => sum + have, 0);

/**
 * How much leaves each left node in a maximum flow from `left` to `right` (capacities) over `edges` (of each left node, its
 * right ones): a first guess, mended along shortest ways (Edmonds and Karp).
 */
function maximumFlow(
  left: readonly number[],
  right: readonly number[],
  edges: readonly (readonly number[])[],
): readonly number[] {
  const free = [...left];
  const room = [...right];
  const flows = left.map(() => new Map<number, number>());
  // Of each right node, the left ones that it takes from.
  const takers = right.map(() => new Set<number>());
  const move = (from: number, to: number, by: number) => {
    const flow = (flows[from]?.get(to) ?? 0) + by;
    if (flow === 0) takers[to]?.delete(from);
    else takers[to]?.add(from);
    flows[from]?.set(to, flow);
  };
  for (let at = 0; at < left.length; at++) {
    for (const to of edges[at] ?? []) {
      const by = Math.min(free[at] ?? 0, room[to] ?? 0);
      if (by === 0) continue;
      move(at, to, by);
      free[at] = (free[at] ?? 0) - by;
      room[to] = (room[to] ?? 0) - by;
    }
  }
  for (;;) {
    const path = freePath(free, room, edges, takers);
    if (path === undefined) return left.map((capacity, at) => capacity - (free[at] ?? 0));
    const { steps, first, last } = path;
    // One at a time: a step back gives up one that is certainly there.
    for (const { from, to, back } of steps) {
      move(from, to, 1);
      if (back !== undefined) move(back, to, -1);
    }
    free[first] = (free[first] ?? 0) - 1;
    room[last] = (room[last] ?? 0) - 1;
  }
}

interface Step {
  readonly from: number;
  readonly to: number;
  /** The left node that gives `to` up. */
  readonly back?: number;
}

/** A shortest way from a left node with something left to a right node with room, over what others can give up. */
function freePath(
  free: readonly number[],
  room: readonly number[],
  edges: readonly (readonly number[])[],
  takers: readonly ReadonlySet<number>[],
): { steps: Step[]; first: number; last: number } | undefined {
  const cameBy = new Map<number, Step | undefined>();
  const seen = new Set<number>();
  const queue: number[] = [];
  free.forEach((amount, at) => {
    if (amount === 0) return;
    queue.push(at);
    cameBy.set(at, undefined);
  });
  for (const from of queue) {
    for (const to of edges[from] ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      if ((room[to] ?? 0) > 0) return wayBack(cameBy, from, to);
      for (const back of takers[to] ?? []) {
        if (cameBy.has(back)) continue;
        cameBy.set(back, { from, to, back });
        queue.push(back);
      }
    }
  }
  return undefined;
}

function wayBack(cameBy: ReadonlyMap<number, Step | undefined>, from: number, to: number) {
  const steps: Step[] = [{ from, to }];
  let first = from;
  for (let step = cameBy.get(first); step !== undefined; step = cameBy.get(first)) {
    steps.push(step);
    first = step.from;
  }
  return { steps, first, last: to };
}
