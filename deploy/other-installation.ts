// Detects a second installation on a PostgreSQL server. Roles and passwords belong to the whole server, not to a
// database, so that preparing the server for a second installation would lock out the first one.

import { withClient } from "@ems/kit/db/client";
import { isWrongPassword } from "@ems/kit/db/errors";
import { type RolePasswords, urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";

export interface PreparingOptions {
  /** True to allow new passwords for the roles if only the prepared database uses them. */
  readonly mayRotate: boolean;
  readonly rolePrefix: string;
}

/**
 * Rejects if the server's roles belong to another installation, that is if their passwords differ from `passwords`. The
 * database in `adminUrl` does not have to exist.
 */
export async function assertNoOtherInstallation(
  adminUrl: string,
  passwords: RolePasswords,
  { mayRotate, rolePrefix }: PreparingOptions,
): Promise<void> {
  const server = new URL(adminUrl);
  const database = decodeURIComponent(server.pathname.slice(1)) || "postgres";
  server.pathname = "/postgres";
  const owner = rolePrefix + ownerRole;
  const databases = await withClient(server.href, (client) => listDatabases(client, owner));
  if (databases.length === 0 || (await canLogIn(urlFor(server.href, ownerRole, passwords, rolePrefix)))) return;
  const otherDatabases = databases.filter((name) => name !== database);
  if (otherDatabases.length > 0) {
    const names = otherDatabases.map((name) => JSON.stringify(name)).join(", ");
    throw new Error(
      `this PostgreSQL server has another installation, in its database ${names}. Roles belong to the whole server, so this ` +
        "installation would change the passwords of the other one. Set DATABASE_ROLE_PREFIX to use separate roles, or use " +
        "another server.",
    );
  }
  if (mayRotate) return;
  throw new Error(
    `the database ${JSON.stringify(database)} belongs to another installation with other passwords. Start it ` +
      `from that installation's DATA_DIR. If that is lost, set the password of role ${owner} to the one in this secrets.json.`,
  );
}

/** Lists the server's databases in which the role owns an object. */
async function listDatabases(client: pg.Client, owner: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT datname AS name FROM pg_shdepend
     JOIN pg_roles ON pg_roles.oid = refobjid JOIN pg_database ON pg_database.oid = dbid
     WHERE refclassid = 'pg_authid'::regclass AND deptype = 'o' AND rolname = $1 ORDER BY name`,
    [owner],
  );
  return rows.map(({ name }) => name);
}

async function canLogIn(url: string): Promise<boolean> {
  try {
    return await withClient(url, async () => true);
  } catch (error) {
    if (isWrongPassword(error)) return false;
    if (error instanceof pg.DatabaseError) return true;
    throw error;
  }
}
