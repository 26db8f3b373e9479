// Traces of the application's user, by the key that stands for the user. What takes a transaction does so since traces and
// what is erased with them are in one database for now.

import type { Stores } from "@ems/archive";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** A trace with the number of its steps, which says how long it takes to delete it. */
export interface CountedTrace {
  readonly id: string;
  readonly steps: number;
}

export interface UserTrace extends CountedTrace {
  readonly testId: string | null;
}

const columns = `t.id, t.test_id AS "testId", t.steps`;

const ofUser = `SELECT ${columns} FROM experiments.trace t WHERE t.application_id = $1 AND t.end_user_key = $2`;
const archivedOfUser = `SELECT t.id AS id, t.test_id AS "testId", t.steps AS steps FROM trace t
  WHERE t.end_user_key = {key:UUID}`;

/** All traces of the user, those of the archive among them. */
export async function tracesOfUser(stores: Stores, call: Call, endUserKey: string): Promise<UserTrace[]> {
  const [traces] = await stores.lookUp<[UserTrace]>(call, [
    {
      own: { name: "traces-of-user", text: ofUser, values: [call.tenant.applicationId, endUserKey] },
      archived: { kind: "traces", table: "trace", text: archivedOfUser, parameters: { key: endUserKey } },
    },
  ]);
  return traces;
}

const oldest = `SELECT t.id, t.steps FROM experiments.trace t WHERE t.application_id = $1 AND t.end_user_key = $2
  ORDER BY t.created_at LIMIT $3`;

/** The user's oldest traces in PostgreSQL, `max` at most. */
export function oldestOfUser(
  tx: Transaction,
  applicationId: string,
  endUserKey: string,
  max: number,
): Promise<CountedTrace[]> {
  return tx.query<CountedTrace>(oldest, [applicationId, endUserKey, max]);
}

const among = `SELECT t.id, t.steps FROM experiments.trace t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`;

/** Those of the traces that PostgreSQL has. */
export function storedAmong(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<CountedTrace[]> {
  return tx.query<CountedTrace>(among, [applicationId, ids]);
}

// As ingestion locks them: what comes meanwhile waits, and makes a new trace.
const lock = `SELECT ${columns} FROM experiments.trace t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR UPDATE`;

/** Locks those of the traces that PostgreSQL has, so that the transaction can delete them with what was made of them. */
export function lockToDelete(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<UserTrace[]> {
  return tx.query<UserTrace>(lock, [applicationId, ids]);
}

const tests = `SELECT DISTINCT t.test_id AS id FROM experiments.trace t
  WHERE t.application_id = $1 AND t.test_id IS NOT NULL AND (t.end_user_key = $2 OR t.id = ANY ($3::uuid[]))`;

/** The tests that PostgreSQL's traces name, of the user and of other traces to erase. */
export async function testsToErase(
  database: Database,
  owner: Pick<Tenant, "applicationId" | "orgId">,
  deadlineMs: number,
  { endUserKey, traceIds }: { readonly endUserKey: string; readonly traceIds: readonly string[] },
): Promise<string[]> {
  const values = [owner.applicationId, endUserKey, traceIds];
  const rows = await database.readScoped<{ id: string }>(owner, deadlineMs, { text: tests, values });
  return rows.map(({ id }) => id);
}
