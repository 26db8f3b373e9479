// Evaluators of one test, which differ by name and settings, since a task has at most one link to a definition. Pure.

import type { Evaluator } from "../record.ts";

/** Maximum distinct evaluators of one import; patterns and metrics make one each. */
export const evaluatorsMax = 100;

export class TestEvaluators {
  readonly #byKey = new Map<string, Evaluator>();
  readonly #ofImport: Set<string>;

  /** `ofImport`: the evaluators of all tests of the import. */
  constructor(ofImport: Set<string>) {
    this.#ofImport = ofImport;
  }

  list(): Evaluator[] {
    return [...this.#byKey.values()];
  }

  /** Adds the evaluator; returns false if the import has too many. */
  add(added: Evaluator): boolean {
    let evaluator = added;
    for (let number = 2; ; number++) {
      const before = this.#byKey.get(getKey(evaluator));
      if (before === undefined) break;
      if (JSON.stringify(before.expected) === JSON.stringify(added.expected)) return true;
      // All texts of a list are expected, so that two lists become one.
      if (added.config.passThreshold === 1) {
        this.#byKey.set(getKey(evaluator), {
          ...before,
          expected: [...new Set([before.expected, added.expected].flat())],
        });
        return true;
      }
      evaluator = { ...added, name: `${added.name} ${number}` };
    }
    const key = getKey(evaluator);
    if (!this.#ofImport.has(key) && this.#ofImport.size >= evaluatorsMax) return false;
    this.#ofImport.add(key);
    this.#byKey.set(key, evaluator);
    return true;
  }
}

const getKey = ({ name, config }: Evaluator) => JSON.stringify([name, config]);
