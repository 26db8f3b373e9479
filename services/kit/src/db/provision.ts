// Prerequisites of migrations in a PostgreSQL server: database, roles and schemas. Run by an administrator; if
// operators create the roles themselves (Kubernetes), only migrate.ts runs.

import type pg from "pg";
import { advisoryLocks } from "./advisory-locks.ts";
import { backupRole } from "./backup-role.ts";
import { withClient } from "./client.ts";
import { hasOutbox, ownerRole, relayRole, runtimeRole, type Schema } from "./schema.ts";

/** Passwords by role name. */
export type RolePasswords = Readonly<Record<string, string>>;

/** Lists the roles that the product logs in as. */
export function listRoles(schemas: readonly Schema[]): string[] {
  return [ownerRole, ...schemas.map(runtimeRole), ...schemas.filter(hasOutbox).map(relayRole)];
}

/** Lists the roles to create: the backup role only if it has a password. */
function preparedRoles(schemas: readonly Schema[], passwords: RolePasswords): string[] {
  return [...listRoles(schemas), ...(passwords[backupRole] ? [backupRole] : [])];
}

/** Returns `adminUrl` with the name of another role, which begins with `rolePrefix`, and its password. */
export function urlFor(adminUrl: string, role: string, passwords: RolePasswords, rolePrefix = ""): string {
  const url = new URL(adminUrl);
  url.username = rolePrefix + role;
  url.password = passwords[role] ?? "";
  return url.href;
}

/** Returns the URL of the server's database `postgres`, for queries before the product's database exists. */
export function maintenanceUrl(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.pathname = "/postgres";
  return url.href;
}

/** Creates the database of `adminUrl` if it does not exist; returns true if it did. */
export async function ensureDatabase(adminUrl: string): Promise<boolean> {
  const name = decodeURIComponent(new URL(adminUrl).pathname.slice(1)) || "postgres";
  return withClient(maintenanceUrl(adminUrl), async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return false;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    return true;
  });
}

/** Creates roles, whose names begin with `rolePrefix`, schemas and grants. Idempotent. */
export async function provisionDatabase(
  adminUrl: string,
  schemas: readonly Schema[],
  passwords: RolePasswords,
  rolePrefix = "",
): Promise<void> {
  const roles = preparedRoles(schemas, passwords);
  const named = (role: string) => rolePrefix + role;
  await withClient(adminUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [advisoryLocks.preparation]);
    for (const role of roles) {
      const name = named(role);
      if (!(await roleExists(client, name))) await client.query(`CREATE ROLE ${name} LOGIN ${unprivileged}`);
      await client.query(`ALTER ROLE ${name} PASSWORD ${client.escapeLiteral(passwords[role] ?? "")}`);
    }
    // An administrator who is not a superuser must be a member of the owner role to create schemas for it.
    await client.query(`GRANT ${named(ownerRole)} TO CURRENT_USER`);
    const database = client.escapeIdentifier(client.database ?? "");
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${roles.map(named).join(", ")}`);
    for (const schema of schemas) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema.name} AUTHORIZATION ${named(ownerRole)}`);
      await client.query(`GRANT USAGE ON SCHEMA ${schema.name} TO ${named(runtimeRole(schema))}`);
    }
    await client.query("COMMIT");
  });
}

const unprivileged = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS";

async function roleExists(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  return rowCount !== 0;
}
