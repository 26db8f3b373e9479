import type { DataSource } from "typeorm";
import { newestMigration, type Schema } from "./schema.ts";

/**
 * Refuses to go on as a role that row-level security does not bind: a superuser, one with BYPASSRLS, or the owner of
 * the schema's tables. One slip of a connection string must not open every tenant's rows.
 */
export async function refusePowerfulRole(dataSource: DataSource, schema: Schema): Promise<void> {
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
    `The ${schema.name} service does not run as the database role ${role.name}, which ${fault}: ` +
      `row-level security would not bind it. Give it its runtime role, ems_${schema.name}.`,
  );
}

/** Fails while the database is out of reach or its schema is older than this program needs. */
export async function checkSchema(dataSource: DataSource, schema: Schema): Promise<void> {
  const newest = newestMigration(schema);
  const rows = await dataSource.query<unknown[]>(`SELECT FROM ${schema.name}.migration WHERE name = $1`, [newest]);
  if (rows.length === 0) throw new Error(`schema ${schema.name} lacks migration ${newest}: run the migrations`);
}
