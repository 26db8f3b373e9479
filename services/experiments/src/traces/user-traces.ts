// Finds the data to erase for an end user: the user's traces, by the key that replaces the user's name, and tests.

import type { Stores } from "@ems/archive";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** A trace with its test. Its number of steps is a measure of how long deleting it takes. */
export interface FoundTrace {
  readonly id: string;
  readonly testId: string | null;
  readonly steps: number;
}

const columns = `t.id, t.test_id AS "testId", t.steps`;

const ofUser = `SELECT ${columns} FROM experiments.trace_v1 t WHERE t.application_id = $1 AND t.end_user_key = $2`;
const archivedOfUser = `SELECT t.id AS id, t.test_id AS "testId", t.steps AS steps FROM trace t
  WHERE t.end_user_key = {key:UUID}`;

/** Returns all traces of the user, including archived ones. */
export async function tracesOfUser(stores: Stores, call: Call, endUserKey: string): Promise<FoundTrace[]> {
  const [traces] = await stores.lookUp<[FoundTrace]>(call, [
    {
      own: { name: "traces-of-user", text: ofUser, values: [call.tenant.applicationId, endUserKey] },
      archived: { kind: "traces", table: "trace", text: archivedOfUser, parameters: { key: endUserKey } },
    },
  ]);
  return traces;
}

const oldest = `${ofUser} ORDER BY t.created_at LIMIT $3`;

/** Returns the user's oldest traces in PostgreSQL, at most `max`. */
export function oldestOfUser(
  tx: Transaction,
  applicationId: string,
  endUserKey: string,
  max: number,
): Promise<FoundTrace[]> {
  return tx.query<FoundTrace>(oldest, [applicationId, endUserKey, max]);
}

const among = `SELECT ${columns} FROM experiments.trace_v1 t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`;

/** Returns those of the traces that are in PostgreSQL. */
export function storedAmong(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<FoundTrace[]> {
  return tx.query<FoundTrace>(among, [applicationId, ids]);
}

const tests = `SELECT DISTINCT t.test_id AS id FROM experiments.trace_v1 t
  WHERE t.application_id = $1 AND t.test_id IS NOT NULL AND (t.end_user_key = $2 OR t.id = ANY ($3::uuid[]))`;

/** Returns the tests of traces in PostgreSQL: the user's traces and the other traces to erase. */
export async function testsToErase(
  database: Database,
  owner: Pick<Tenant, "applicationId" | "orgId">,
  deadlineMs: number,
  { endUserKey, traceIds }: { readonly endUserKey: string | null; readonly traceIds: readonly string[] },
): Promise<string[]> {
  const values = [owner.applicationId, endUserKey, traceIds];
  const rows = await database.readScoped<{ id: string }>(owner, deadlineMs, { text: tests, values });
  return rows.map(({ id }) => id);
}

const ofTests = `SELECT t.id FROM experiments.trace_v1 t WHERE t.application_id = $1 AND t.test_id = ANY ($2::uuid[])`;

/** Returns the ids of all traces in PostgreSQL that refer to one of the tests. */
export async function traceIdsOfTests(
  tx: Transaction,
  applicationId: string,
  testIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ofTests, [applicationId, testIds]);
  return rows.map(({ id }) => id);
}
