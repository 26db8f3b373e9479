import type { Transaction } from "@ems/kit/db/transaction";

/** Creates the monthly partitions for the dates. Call first in a transaction: it may wait for another transaction. */
export function addMonths(tx: Transaction, dates: readonly Date[]): void {
  const days = new Set(dates.map((date) => date.toISOString().slice(0, 10)));
  tx.defer("SELECT experiments.add_months($1)", [[...days]]);
}
