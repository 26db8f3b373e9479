// Searches many items for many values, in time linear in their lengths (Aho-Corasick). Calling String.includes for each
// pair may take the product of two lengths, for texts such as aaa…a and aaa…b…aaa.

import { Slices } from "./slices.ts";

/** Returns the indexes of the values that each item contains. Values must be distinct and not empty. */
export async function findContained(
  values: readonly string[],
  items: readonly string[],
  slices = new Slices(),
): Promise<number[][]> {
  const longest = items.reduce((length, item) => Math.max(length, item.length), 0);
  const automaton = await Automaton.create(values, longest, slices);
  const found: number[][] = [];
  for (const [index, item] of items.entries()) found.push(await automaton.find(item, index + 1, slices));
  return found;
}

const root = 0;
const letters = 65_536;

class Automaton {
  #nodes = 1;
  readonly #fromRoot = new Int32Array(letters);
  /** First child of each node, with its letter. Further children are few, because each begins another value. */
  readonly #child: Int32Array;
  readonly #letter: Uint16Array;
  readonly #children = new Map<number, number>();
  readonly #hasMore: Uint8Array;
  /** For each node, the node of its longest proper suffix that begins a value. */
  readonly #suffix: Int32Array;
  /** For each node, index + 1 of the value that ends there; 0 if none. */
  readonly #value: Int32Array;
  /** For each node, the nearest suffix node at which a value ends. */
  readonly #shorter: Int32Array;
  /** For each node, the last item in which its value was found. */
  readonly #foundIn: Int32Array;

  private constructor(size: number) {
    this.#child = new Int32Array(size);
    this.#letter = new Uint16Array(size);
    this.#hasMore = new Uint8Array(size);
    this.#suffix = new Int32Array(size);
    this.#value = new Int32Array(size);
    this.#shorter = new Int32Array(size);
    this.#foundIn = new Int32Array(size);
  }

  /** Builds the search tree. Skips values that are longer than every item. */
  static async create(values: readonly string[], longest: number, slices: Slices): Promise<Automaton> {
    const isFitting = (value: string) => value.length <= longest;
    const size = values.filter(isFitting).reduce((sum, { length }) => sum + length, 1);
    const automaton = new Automaton(size);
    const parents = new Int32Array(size);
    const byDepth: number[][] = [];
    for (const [index, value] of values.entries()) {
      if (!isFitting(value)) continue;
      let node = root;
      for (let at = 0; at < value.length; at++) {
        const letter = value.charCodeAt(at);
        let next = automaton.#next(node, letter);
        if (next === root) {
          next = automaton.#add(node, letter);
          parents[next] = node;
          // Each node is added below a node of the previous depth, so there are no gaps between depths.
          const nodes = byDepth[at] ?? [];
          nodes.push(next);
          byDepth[at] = nodes;
        }
        node = next;
      }
      automaton.#value[node] = index + 1;
      if (slices.isOver(value.length)) await slices.next();
    }
    for (const nodes of byDepth) {
      for (const node of nodes) automaton.#linkSuffix(node, parents[node] ?? root);
      if (slices.isOver(nodes.length)) await slices.next();
    }
    return automaton;
  }

  async find(item: string, number: number, slices: Slices): Promise<number[]> {
    const found: number[] = [];
    let node = root;
    for (let at = 0; at < item.length; at++) {
      node = this.#step(node, item.charCodeAt(at));
      // If a node's value was already found in this item, so were those of its suffixes.
      let matching = this.#value[node] === 0 ? this.#at(this.#shorter, node) : node;
      for (; matching !== root && this.#foundIn[matching] !== number; matching = this.#at(this.#shorter, matching)) {
        this.#foundIn[matching] = number;
        found.push(this.#at(this.#value, matching) - 1);
      }
      if (at % 10_000 === 9_999 && slices.isOver(10_000)) await slices.next();
    }
    if (slices.isOver(item.length % 10_000)) await slices.next();
    return found;
  }

  #add(node: number, letter: number): number {
    const added = this.#nodes++;
    this.#letter[added] = letter;
    if (node === root) this.#fromRoot[letter] = added;
    else if (this.#child[node] === 0) this.#child[node] = added;
    else {
      this.#hasMore[node] = 1;
      this.#children.set(node * letters + letter, added);
    }
    return added;
  }

  /** Returns the child with this letter; the root if there is none. */
  #next(node: number, letter: number): number {
    if (node === root) return this.#at(this.#fromRoot, letter);
    const child = this.#at(this.#child, node);
    if (child !== 0 && this.#letter[child] === letter) return child;
    return this.#hasMore[node] === 1 ? (this.#children.get(node * letters + letter) ?? root) : root;
  }

  #step(from: number, letter: number): number {
    let node = from;
    for (;;) {
      const next = this.#next(node, letter);
      if (next !== root || node === root) return next;
      node = this.#at(this.#suffix, node);
    }
  }

  /** Links a node to its suffix. The suffixes of all nodes at smaller depths must already be linked. */
  #linkSuffix(node: number, parent: number): void {
    const suffix = parent === root ? root : this.#step(this.#at(this.#suffix, parent), this.#letter[node] ?? 0);
    this.#suffix[node] = suffix;
    this.#shorter[node] = this.#value[suffix] === 0 ? this.#at(this.#shorter, suffix) : suffix;
  }

  #at(array: Int32Array, index: number): number {
    return array[index] ?? 0;
  }
}
