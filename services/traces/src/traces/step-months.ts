import type { Transaction } from "@ems/kit/db/transaction";
import { getMonth } from "./month.ts";

/** Creates the monthly partitions of steps, each with the first trace that arrives in its month. */
export class StepMonths {
  /** Months whose partitions exist for certain, because a transaction that used them was committed. */
  readonly #created = new Set<string>();

  /** Runs a transaction that must first call `begin`, which ensures that the partition of `now` exists. */
  async within<Result>(now: Date, run: (begin: (tx: Transaction) => void) => Promise<Result>): Promise<Result> {
    const month = getMonth(now).toISOString();
    if (this.#created.has(month)) return run(() => undefined);
    let isBegun = false;
    const result = await run((tx) => {
      addMonth(tx, now);
      isBegun = true;
    });
    if (isBegun) this.#created.add(month);
    return result;
  }
}

/**
 * Creates the partitions for the month of a day. Must be the first statement of the transaction, because it may wait
 * for another transaction.
 */
export function addMonth(tx: Transaction, day: Date): void {
  tx.defer("SELECT traces.add_months($1)", [[day.toISOString().slice(0, "2026-01-01".length)]]);
}
