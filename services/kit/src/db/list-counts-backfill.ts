import type { QueryRunner } from "typeorm";
import { addV1, type CountedTable } from "./list-counts-schema.ts";
import type { Schema } from "./schema.ts";
import { tenantSetting } from "./tenant-policy.ts";

/**
 * Counts the rows that are older than the triggers, a transaction a tenant and table. Writers to the table wait meanwhile, readers
 * do not. Run it without a transaction; idempotent.
 */
export async function backfillCountsV1(
  runner: QueryRunner,
  schema: Schema["name"],
  tables: readonly CountedTable[],
): Promise<void> {
  const backfill: { tenant: string }[] = await runner.query(`SELECT tenant FROM ${schema}.count_backfill`);
  for (const { tenant } of backfill) for (const counted of tables) await recount(runner, counted, tenant);
  await runner.query(`DROP TABLE ${schema}.count_backfill`);
}

async function recount(runner: QueryRunner, counted: CountedTable, tenant: string): Promise<void> {
  const { schema, table, tenant: column } = counted;
  const { setting } = tenantSetting(column);
  const source = `${schema}.${table}`;
  await runner.startTransaction();
  try {
    // The intervals of a large table, held in memory, take half the time.
    await runner.query("SELECT set_config($1, $2, true), set_config('work_mem', '256MB', true)", [setting, tenant]);
    await runner.query(`LOCK TABLE ${source} IN SHARE ROW EXCLUSIVE MODE`);
    // What triggers have counted since they were created is counted again with the rest.
    await runner.query(`UPDATE ${source}_count SET rows = 0`);
    await runner.query(addV1(counted, [[source, 1]], "0"));
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
