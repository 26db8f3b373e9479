// Once all services shared one relay role, which saw the outboxes, mails and deliveries of all. Migrations that name it are not
// edited, and processes of the version before go on as it during a rolling update. It loses its rights when it can no longer
// log in, which says that nobody uses it: `prepare` sees to that, or whoever makes the roles.

import type { DataSource, QueryRunner } from "typeorm";
import { type Schema, sharedRelayRole } from "./schema.ts";

/** As the owner: takes what rights the shared role has left in `schemas`, unless it can log in. Repeatable. */
export async function retireSharedRelay(runner: QueryRunner, schemas: readonly Schema[]): Promise<void> {
  const names = schemas.map(({ name }) => name);
  if (!(await hasRights(runner))) return;
  await runner.startTransaction();
  try {
    await takeRights(runner, names);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function hasRights(database: Pick<DataSource, "query">): Promise<boolean> {
  const found = await database.query<unknown[]>(
    `SELECT FROM pg_roles WHERE rolname = $1 AND NOT rolcanlogin AND EXISTS (
       SELECT FROM pg_shdepend d JOIN pg_database b ON b.oid = d.dbid
       WHERE b.datname = current_database() AND d.refclassid = 'pg_authid'::regclass AND d.refobjid = pg_roles.oid)`,
    [sharedRelayRole],
  );
  return found.length > 0;
}

async function takeRights(database: Pick<DataSource, "query">, schemas: readonly string[]): Promise<void> {
  const policies = await database.query<{ policy: string; place: string; others: string }[]>(
    `SELECT quote_ident(policyname) AS policy, format('%I.%I', schemaname, tablename) AS place,
       array_to_string(array_remove(roles, $1), ', ') AS others
     FROM pg_policies WHERE $1 = ANY (roles) AND schemaname = ANY ($2)`,
    [sharedRelayRole, schemas],
  );
  for (const { policy, place, others } of policies) {
    await database.query(`ALTER POLICY ${policy} ON ${place} TO ${others}`);
  }
  for (const schema of schemas) {
    await database.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${sharedRelayRole}`);
    await database.query(`REVOKE ALL ON SCHEMA ${schema} FROM ${sharedRelayRole}`);
  }
}
