import type { Transaction } from "@ems/kit/db/transaction";

/** Returns the time by PostgreSQL's clock, which all processes share. */
export async function databaseNow(tx: Transaction): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>("SELECT now()", []);
  if (row === undefined) throw new Error("PostgreSQL returned no timestamp");
  return row.now;
}
