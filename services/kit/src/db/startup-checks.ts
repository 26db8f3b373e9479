import type { DataSource } from "typeorm";
import { type Clock, monotonicMs } from "../clock.ts";
import { newestMigration, type Schema } from "./schema.ts";

/**
 * Throws if row-level security does not apply to the role: a superuser, one with BYPASSRLS, or the tables' owner. A
 * wrong connection string must not expose every tenant's rows.
 */
export async function assertUnprivilegedRole(dataSource: DataSource, schema: Schema): Promise<void> {
  const [role] = await dataSource.query<{ name: string; super: boolean; bypass: boolean; owns: boolean }[]>(
    `SELECT rolname AS name, rolsuper AS super, rolbypassrls AS bypass,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND pg_has_role(current_user, c.relowner, 'USAGE')) AS owns
     FROM pg_roles WHERE rolname = current_user`,
    [schema.name],
  );
  const fault = role?.super
    ? "is a superuser"
    : role?.bypass
      ? "has BYPASSRLS"
      : role?.owns
        ? "owns its tables"
        : undefined;
  if (role === undefined || fault === undefined) return;
  throw new Error(
    `The ${schema.name} service must not run as the database role ${role.name}, which ${fault}: ` +
      `row-level security would not apply. Use its runtime role, ems_${schema.name}.`,
  );
}

/**
 * Throws while the database is unreachable or lacks this program's newest migration. The same round trip compares
 * `clock` with PostgreSQL's.
 */
export async function assertSchemaCurrent(dataSource: DataSource, schema: Schema, clock: Clock): Promise<void> {
  const newest = newestMigration(schema);
  const askedMs = monotonicMs();
  const [row] = await dataSource.query<{ isCurrent: boolean; referenceMs: number }[]>(
    `SELECT EXISTS (SELECT FROM ${schema.name}.migration WHERE name = $1) AS "isCurrent",
       extract(epoch FROM clock_timestamp())::float8 * 1000 AS "referenceMs"`,
    [newest],
  );
  if (row !== undefined) clock.compare?.({ referenceMs: row.referenceMs, askedMs, answeredMs: monotonicMs() });
  if (!row?.isCurrent) throw new Error(`schema ${schema.name} lacks migration ${newest}: run the migrations`);
}
