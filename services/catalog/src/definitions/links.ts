import type { Transaction } from "@ems/kit/db/transaction";

/** Whether a statement that changes links changed any. */
export async function changesAny(tx: Transaction, statement: string, values: unknown[]): Promise<boolean> {
  const text = `WITH changed AS (${statement} RETURNING 1) SELECT count(*)::int AS changed FROM changed`;
  const [row] = await tx.query<{ changed: number }>(text, values);
  return row !== undefined && row.changed > 0;
}
