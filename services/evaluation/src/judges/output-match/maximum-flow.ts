// Maximum flow between two sides of nodes with capacities, over edges without capacities. Improves a first guess along
// all shortest augmenting paths at once (Dinic's algorithm), in few rounds over the edges.

import type { Slices } from "../text-search/slices.ts";

/** Returns the flow out of each left node. `edges` lists the right nodes of each left node. */
export async function maximumFlow(
  left: readonly number[],
  right: readonly number[],
  edges: readonly (readonly number[])[],
  slices: Slices,
): Promise<readonly number[]> {
  const flow = new Flow(left, right, edges);
  flow.guess();
  const edgeCount = edges.reduce((sum, { length }) => sum + length, 0);
  do {
    if (slices.isOver(edgeCount)) await slices.next();
  } while (flow.improve());
  return flow.leaving();
}

const unreached = -1;

class Flow {
  readonly #left: readonly number[];
  readonly #edges: readonly (readonly number[])[];
  /** Remaining capacity of each node. */
  readonly #free: number[];
  readonly #room: number[];
  /** For each right node, the amount of flow from each left node. */
  readonly #flows: Map<number, number>[];
  #leftLevels: number[] = [];
  #rightLevels: number[] = [];
  /** Index of the edge that each left node tries next. */
  #tries: number[] = [];

  constructor(left: readonly number[], right: readonly number[], edges: readonly (readonly number[])[]) {
    this.#left = left;
    this.#edges = edges;
    this.#free = [...left];
    this.#room = [...right];
    this.#flows = right.map(() => new Map());
  }

  leaving(): number[] {
    return this.#left.map((capacity, at) => capacity - at0(this.#free, at));
  }

  /** Assigns each left node to the first right nodes that have room. */
  guess(): void {
    for (const [from, targets] of this.#edges.entries()) {
      for (const to of targets) {
        if (at0(this.#free, from) === 0) break;
        const amount = Math.min(at0(this.#free, from), at0(this.#room, to));
        if (amount > 0) this.#send(from, to, amount);
      }
    }
  }

  /** Adds flow along shortest paths; returns false if there is no such path. */
  improve(): boolean {
    if (!this.#level()) return false;
    this.#tries = this.#left.map(() => 0);
    for (const from of this.#left.keys()) {
      if (at0(this.#leftLevels, from) !== 0) continue;
      while (at0(this.#free, from) > 0 && this.#push(from, at0(this.#free, from)) > 0);
    }
    return true;
  }

  #send(from: number, to: number, amount: number): void {
    this.#free[from] = at0(this.#free, from) - amount;
    this.#room[to] = at0(this.#room, to) - amount;
    this.#move(from, to, amount);
  }

  #move(from: number, to: number, amount: number): void {
    const amounts = this.#flows[to];
    const total = (amounts?.get(from) ?? 0) + amount;
    if (total === 0) amounts?.delete(from);
    else amounts?.set(from, total);
  }

  /** Computes distances from left nodes with remaining capacity. Returns true if they reach a right node with room. */
  #level(): boolean {
    this.#leftLevels = this.#free.map((amount) => (amount > 0 ? 0 : unreached));
    this.#rightLevels = this.#room.map(() => unreached);
    let nodes = [...this.#left.keys()].filter((from) => at0(this.#free, from) > 0);
    for (let level = 1; nodes.length > 0; level += 2) {
      const next: number[] = [];
      let isReached = false;
      for (const from of nodes) {
        for (const to of this.#edges[from] ?? []) {
          if (this.#rightLevels[to] !== unreached) continue;
          this.#rightLevels[to] = level;
          isReached ||= at0(this.#room, to) > 0;
          for (const sender of this.#flows[to]?.keys() ?? []) {
            if (this.#leftLevels[sender] !== unreached) continue;
            this.#leftLevels[sender] = level + 1;
            next.push(sender);
          }
        }
      }
      if (isReached) return true;
      nodes = next;
    }
    return false;
  }

  /** Sends at most `amount` from a node. Reroutes earlier flow where it blocks the path. */
  #push(from: number, amount: number): number {
    const targets = this.#edges[from] ?? [];
    const level = at0(this.#leftLevels, from);
    for (; at0(this.#tries, from) < targets.length; this.#tries[from] = at0(this.#tries, from) + 1) {
      const to = targets[at0(this.#tries, from)] ?? 0;
      if (this.#rightLevels[to] !== level + 1) continue;
      const direct = Math.min(amount, at0(this.#room, to));
      if (direct > 0) {
        this.#send(from, to, direct);
        if (level > 0) this.#free[from] = at0(this.#free, from) + direct;
        return direct;
      }
      for (const [sender, sent] of this.#flows[to] ?? []) {
        if (this.#leftLevels[sender] !== level + 2) continue;
        const pushed = this.#push(sender, Math.min(amount, sent));
        if (pushed === 0) continue;
        this.#move(sender, to, -pushed);
        this.#move(from, to, pushed);
        if (level === 0) this.#free[from] = at0(this.#free, from) - pushed;
        return pushed;
      }
      // This node has no room left in this round.
      this.#rightLevels[to] = unreached;
    }
    return 0;
  }
}

const at0 = (amounts: readonly number[], index: number) => amounts[index] ?? 0;
