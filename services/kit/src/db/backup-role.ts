// The role that reads backups. It may read every row of every application and change none. Without the role, only `ems
// backup` is unavailable.

import type { DataSource } from "typeorm";
import type { Schema } from "./schema.ts";

export const backupRole = "ems_backup";

/**
 * Tables of `schemas` that the role cannot read completely: no privilege, or row-level security without the backup
 * policy.
 */
const unreadable = `
  SELECT format('%I.%I', n.nspname, c.relname) AS place, c.relrowsecurity AND NOT EXISTS (
      SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'backup') AS "lacksPolicy"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND (NOT has_table_privilege('${backupRole}', c.oid, 'SELECT')
      OR c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'backup'))`;

/**
 * Lets the backup role, if it exists, read every table of `schemas`. Run as the owner, after migrations. Partitions are
 * read through their tables. Idempotent; tables that the role can read are not locked.
 */
export async function grantBackup(database: Pick<DataSource, "query">, schemas: readonly Schema[]): Promise<void> {
  const roles = await database.query<unknown[]>(`SELECT FROM pg_roles WHERE rolname = '${backupRole}'`);
  if (roles.length === 0) return;
  const names = schemas.map(({ name }) => name);
  for (const name of names) await database.query(`GRANT USAGE ON SCHEMA ${name} TO ${backupRole}`);
  const tables = await database.query<{ place: string; lacksPolicy: boolean }[]>(unreadable, [names]);
  for (const { place, lacksPolicy } of tables) {
    await database.query(`GRANT SELECT ON ${place} TO ${backupRole}`);
    if (lacksPolicy) await database.query(`CREATE POLICY backup ON ${place} FOR SELECT TO ${backupRole} USING (true)`);
  }
}
