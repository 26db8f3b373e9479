import pg from "pg";
import { DataSource, type QueryRunner } from "typeorm";
import { adoptBaseline, baselineName, currentNames } from "./adopt.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { grantBackup } from "./backup-role.ts";
import { ownerDataSource } from "./data-source.ts";
import { listRoles } from "./provision.ts";
import { prefixRoles } from "./role-prefix.ts";
import { migrationName, type Schema } from "./schema.ts";
import { assertServerSupported } from "./server-version.ts";
import { typeormLog } from "./typeorm-log.ts";

/** A dry run gives up after this time, so that it does not block a running product that waits for the same table. */
const dryRunLockMs = 3_000;

type Queries = Pick<DataSource, "query">;

export interface MigrationStatus {
  readonly schema: string;
  readonly name: string;
  /** `pending`: not run yet. `unknown`: run by a newer program and missing in this one. */
  readonly state: "done" | "pending" | "unknown";
}

/**
 * Runs pending migrations as the owner role, one transaction each, under an advisory lock. Returns those that it ran
 * and the baselines that it adopted, as `schema: name`.
 */
export function migrate(ownerUrl: string, schemas: readonly Schema[]): Promise<string[]> {
  return withLock(ownerUrl, async (runner) => {
    await assertPrepared(runner, schemas);
    await runner.startTransaction();
    const ran = await adoptBaselines(runner, schemas);
    await runner.commitTransaction();
    for (const schema of schemas) ran.push(...(await migrateOne(ownerUrl, schema)));
    await grantBackup(runner, schemas);
    return ran;
  });
}

/**
 * Runs pending migrations in one transaction, then rolls it back. It holds the migrations' table locks while it runs,
 * and waits for each lock for a limited time.
 */
export function dryRunMigrations(ownerUrl: string, schemas: readonly Schema[]): Promise<string[]> {
  return withLock(ownerUrl, async (runner) => {
    await assertPrepared(runner, schemas);
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = ${dryRunLockMs}`);
    return runPending(runner, schemas);
  });
}

/** Lists every migration of `schemas` and of the database, each schema's oldest first. Read-only. */
export async function migrationStatus(ownerUrl: string, schemas: readonly Schema[]): Promise<MigrationStatus[]> {
  const dataSource = await connected(ownerUrl);
  try {
    const found: MigrationStatus[] = [];
    for (const schema of schemas) {
      const done = await doneMigrations(dataSource, schema);
      const own = schema.migrations.map(migrationName);
      const states = own.map((name) => ({ name, state: done.has(name) ? "done" : "pending" }) as const);
      const unknown = [...done]
        .filter((name) => !own.includes(name))
        .map((name) => ({ name, state: "unknown" }) as const);
      for (const { name, state } of [...states, ...unknown]) found.push({ schema: schema.name, name, state });
    }
    return found;
  } finally {
    await dataSource.destroy();
  }
}

/** Lists the migrations that a newer program ran, as `schema: name`. */
export async function unknownMigrations(ownerUrl: string, schemas: readonly Schema[]): Promise<string[]> {
  const all = await migrationStatus(ownerUrl, schemas);
  return all.filter(({ state }) => state === "unknown").map(({ schema, name }) => `${schema}: ${name}`);
}

/** Checks that the services' roles and schemas exist, which the owner role cannot create. */
async function assertPrepared(database: Queries, schemas: readonly Schema[]): Promise<void> {
  const missing = async (names: readonly string[], existing: string) => {
    const values = names.map((name) => `('${name}')`).join(", ");
    const rows = await database.query<{ name: string }[]>(
      `SELECT name FROM (VALUES ${values}) AS needed (name) WHERE name NOT IN (${existing})`,
    );
    return rows.map(({ name }) => name).join(", ");
  };
  const advice = 'Run prepare, or create them as described in deploy/guides/database.md under "Roles".';
  const roles = await missing(listRoles(schemas), "SELECT rolname FROM pg_roles");
  if (roles !== "") throw new Error(`this PostgreSQL server lacks roles of the product: ${roles}. ${advice}`);
  const names = schemas.map(({ name }) => name);
  const absent = await missing(names, "SELECT nspname FROM pg_namespace");
  if (absent !== "") throw new Error(`the database lacks schemas of the product: ${absent}. ${advice}`);
}

/** Adopts all baselines or none, in the runner's transaction: an unsupported database stays unchanged. */
async function adoptBaselines(runner: QueryRunner, schemas: readonly Schema[]): Promise<string[]> {
  const adopted: string[] = [];
  for (const schema of schemas) {
    const recorded = await recordedMigrations(runner, schema);
    if (await adoptBaseline(runner, schema, recorded)) adopted.push(`${schema.name}: ${baselineName}`);
  }
  return adopted;
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

async function runPending(runner: QueryRunner, schemas: readonly Schema[]): Promise<string[]> {
  const ran = await adoptBaselines(runner, schemas);
  for (const schema of schemas) {
    const done = await doneMigrations(runner, schema);
    // TypeORM creates its table before the first migration, which may grant rights on it.
    await runner.query(
      `CREATE TABLE IF NOT EXISTS ${schema.name}.migration (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)`,
    );
    for (const migration of schema.migrations) {
      const name = migrationName(migration);
      if (done.has(name)) continue;
      await new migration().up(runner);
      ran.push(`${schema.name}: ${name}`);
    }
  }
  return ran;
}

/** Returns the recorded migrations that the baseline did not replace. Throws if the database is too old to adopt. */
async function doneMigrations(database: Queries, schema: Schema): Promise<Set<string>> {
  return new Set(currentNames(schema, await recordedMigrations(database, schema)));
}

async function recordedMigrations(database: Queries, { name }: Schema): Promise<string[]> {
  const [table] = await database.query<{ found: string | null }[]>("SELECT to_regclass($1) AS found", [
    `${name}.migration`,
  ]);
  if (table?.found == null) return [];
  const rows = await database.query<{ name: string }[]>(`SELECT name FROM ${name}.migration ORDER BY timestamp`);
  return rows.map((row) => row.name);
}

/**
 * Holds the lock on a connection that stays checked out: the pool would close an idle connection and release its lock.
 */
async function withLock<T>(ownerUrl: string, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const dataSource = await connected(ownerUrl);
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query("SELECT pg_advisory_lock($1)", [advisoryLocks.migration]);
    return await work(runner);
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
    await dataSource.destroy();
  }
}

async function connected(url: string): Promise<DataSource> {
  await assertServerSupported(url);
  // Behind a pooler in transaction mode, these options fail, as they should: a session lock could be lost there.
  const extra = { max: 1, options: "-c timezone=UTC" };
  const dataSource = new DataSource({
    type: "postgres",
    driver: pg,
    url,
    logger: typeormLog,
    installExtensions: false,
    extra,
  });
  await dataSource.initialize();
  return prefixRoles(dataSource, url);
}
