// Early versions had one relay role for all services. Landed migrations still name it, and a rolling update still uses it:
// it loses its rights once it cannot log in (provision.ts).

import type { DataSource, QueryRunner } from "typeorm";
import { type Schema, sharedRelayRole } from "./schema.ts";

/** As the owner: revokes the shared role's rights in `schemas`, unless it can log in. Idempotent. */
export async function revokeSharedRelay(runner: QueryRunner, schemas: readonly Schema[]): Promise<void> {
  const names = schemas.map(({ name }) => name);
  if (!(await hasRights(runner))) return;
  await runner.startTransaction();
  try {
    await revokeRights(runner, names);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function hasRights(database: Pick<DataSource, "query">): Promise<boolean> {
  const found = await database.query<unknown[]>(
    `SELECT FROM pg_roles WHERE rolname = '${sharedRelayRole}' AND NOT rolcanlogin AND EXISTS (
       SELECT FROM pg_shdepend d JOIN pg_database b ON b.oid = d.dbid
       WHERE b.datname = current_database() AND d.refclassid = 'pg_authid'::regclass AND d.refobjid = pg_roles.oid)`,
  );
  return found.length > 0;
}

async function revokeRights(database: Pick<DataSource, "query">, schemas: readonly string[]): Promise<void> {
  const policies = await database.query<{ policy: string; place: string; others: string }[]>(
    `SELECT quote_ident(policyname) AS policy, format('%I.%I', schemaname, tablename) AS place,
       array_to_string(array_remove(roles, '${sharedRelayRole}'), ', ') AS others
     FROM pg_policies WHERE '${sharedRelayRole}' = ANY (roles) AND schemaname = ANY ($1)`,
    [schemas],
  );
  for (const { policy, place, others } of policies) {
    await database.query(`ALTER POLICY ${policy} ON ${place} TO ${others}`);
  }
  for (const schema of schemas) {
    await database.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${sharedRelayRole}`);
    await database.query(`REVOKE ALL ON SCHEMA ${schema} FROM ${sharedRelayRole}`);
  }
}
