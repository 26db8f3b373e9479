// Roles and passwords belong to a whole PostgreSQL server, not to a database: preparing it for a second installation would
// lock the first one out.

import { withClient } from "@ems/kit/db/client";
import { isWrongPassword } from "@ems/kit/db/errors";
import { type RolePasswords, urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";

export interface PreparingOptions {
  /** Whether the roles of the database that is prepared may get new passwords. */
  readonly mayRotate: boolean;
  readonly rolePrefix: string;
}

/**
 * Rejects when the roles of the server belong to another installation, whose passwords differ from `passwords`. The database
 * of `adminUrl` need not exist yet.
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
  const databases = await withClient(server.href, (client) => databasesOf(client, owner));
  if (databases.length === 0 || (await canLogIn(urlFor(server.href, ownerRole, passwords, rolePrefix)))) return;
  const others = databases.filter((name) => name !== database);
  if (others.length > 0) {
    const names = others.map((name) => JSON.stringify(name)).join(", ");
    throw new Error(
      `this PostgreSQL server has another installation, in its database ${names}. Both would have the same roles, which ` +
        "belong to the whole server, and this one would change their passwords: give this one roles of its own by " +
        "DATABASE_ROLE_PREFIX, or a server.",
    );
  }
  if (mayRotate) return;
  throw new Error(
    `the database ${JSON.stringify(database)} belongs to another installation, whose passwords this one does not have: start it ` +
      `from that one's DATA_DIR. If that is lost, give the role ${owner} the password in this one's secrets.json.`,
  );
}

/** The databases of the server in which the role owns something. */
async function databasesOf(client: pg.Client, owner: string): Promise<string[]> {
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
