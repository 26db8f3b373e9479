import type { QueryRunner } from "typeorm";
import type { Schema } from "./schema.ts";
import { foldedOf, type SearchedTable } from "./search-schema.ts";
import { tenantSetting } from "./tenant-policy.ts";

/** Undoes `backfillSearchV1`; the texts stay. */
export function restoreBackfillTableV1(schema: string): string {
  return `CREATE TABLE ${schema}.search_backfill (tenant text PRIMARY KEY)`;
}

/** Rows of a batch, which holds up whoever changes one of them. */
const batchSize = 1000;

/** Adds the texts of rows that are older than the trigger, a statement a batch. Run it without a transaction; idempotent. */
export async function backfillSearchV1(
  runner: QueryRunner,
  schema: Schema["name"],
  tables: readonly SearchedTable[],
): Promise<void> {
  const backfill: { tenant: string }[] = await runner.query(`SELECT tenant FROM ${schema}.search_backfill`);
  for (const { tenant } of backfill) for (const searched of tables) await fillOne(runner, searched, tenant);
  await runner.query(`DROP TABLE ${schema}.search_backfill`);
}

async function fillOne(runner: QueryRunner, searched: SearchedTable, tenant: string): Promise<void> {
  const { schema, table, tenant: column, columns } = searched;
  const { type, setting } = tenantSetting(column);
  const text = `
    WITH batch AS (
      SELECT * FROM ${schema}.${table} WHERE ${column} = $1::${type} AND ($2::text IS NULL OR id > $2::${searched.idType})
      ORDER BY id LIMIT ${batchSize} FOR KEY SHARE
    ), filled AS (
      INSERT INTO ${schema}.${table}_search (${column}, id, ${columns.join(", ")})
      SELECT ${column}, id, ${foldedOf("batch", columns)} FROM batch ON CONFLICT DO NOTHING
    )
    SELECT id FROM batch ORDER BY id DESC LIMIT 1`;
  await runner.query("SELECT set_config($1, $2, false)", [setting, tenant]);
  let last: string | null = null;
  do {
    const rows: { id: string }[] = await runner.query(text, [tenant, last]);
    last = rows[0]?.id ?? null;
  } while (last !== null);
  await runner.query("SELECT set_config($1, '', false)", [setting]);
}
