import { DataSource } from "typeorm";
import { ownerDataSource } from "./data-source.ts";
import type { Schema } from "./schema.ts";

/** Any number that no other program's advisory lock uses; one migration run at a time in a database. */
const migrationLock = 7_305_912_044;

/**
 * Brings `schemas` up to date as the owner role, one transaction a migration, under a lock: several may start at once,
 * one does the work. Answers the names of the migrations that it ran.
 */
export async function migrate(ownerUrl: string, schemas: readonly Schema[]): Promise<string[]> {
  const lock = new DataSource({ type: "postgres", url: ownerUrl, installExtensions: false, extra: { max: 1 } });
  await lock.initialize();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    const ran: string[] = [];
    for (const schema of schemas) ran.push(...(await migrateOne(ownerUrl, schema)));
    return ran;
  } finally {
    await lock.destroy();
  }
}

async function migrateOne(ownerUrl: string, schema: Schema): Promise<string[]> {
  const dataSource = ownerDataSource(ownerUrl, schema);
  await dataSource.initialize();
  try {
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => `${schema.name}: ${name}`);
  } finally {
    await dataSource.destroy();
  }
}
