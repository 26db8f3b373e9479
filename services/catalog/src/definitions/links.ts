import type { EntityManager } from "typeorm";

/** Whether a statement that changes links changed any. */
export async function changesAny(manager: EntityManager, statement: string, values: unknown[]): Promise<boolean> {
  const text = `WITH changed AS (${statement} RETURNING 1) SELECT count(*)::int AS changed FROM changed`;
  const [row] = await manager.query<{ changed: number }[]>(text, values);
  return row !== undefined && row.changed > 0;
}
