import type { Transaction } from "@ems/kit/db/transaction";
import { getMonth } from "./merge.ts";

/** Partitions of months in which traces arrive, created with the month's first trace. */
export class StepMonths {
  /** Months whose partitions a committed transaction has seen. */
  readonly #created = new Set<string>();

  /** Runs a transaction that must call `begin` first, so that the partition of `now` exists. */
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
 * Creates the partitions of a day's month. Must be the transaction's first statement, because it may wait for another
 * transaction's.
 */
export function addMonth(tx: Transaction, day: Date): void {
  tx.defer("SELECT traces.add_months($1)", [[day.toISOString().slice(0, "2026-01-01".length)]]);
}
