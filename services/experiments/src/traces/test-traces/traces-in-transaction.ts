// What is asked of tests' traces within a transaction, as long as traces are in the database of tests.

import type { Transaction } from "@ems/kit/db/transaction";

const settling = `SELECT DISTINCT s.test_id AS id FROM experiments.trace_settling s
  WHERE s.application_id = $1 AND s.test_id = ANY ($2::uuid[])`;

/**
 * Those of the tests that a trace has begun to arrive for: it settles, and closes the test. Takes the transaction, since settling
 * and tests are in one database for now.
 */
export async function settlingTests(
  tx: Transaction,
  applicationId: string,
  testIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [applicationId, testIds];
  const rows = await tx.query<{ id: string }>({ name: "settling-tests", text: settling, values });
  return new Set(rows.map(({ id }) => id));
}

const ofTests = `SELECT t.id FROM experiments.trace t WHERE t.application_id = $1 AND t.test_id = ANY ($2::uuid[])`;

/** Ids of all traces that name one of the tests. Takes the transaction, since traces and tests are in one database for now. */
export async function traceIdsOfTests(
  tx: Transaction,
  applicationId: string,
  testIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ofTests, [applicationId, testIds]);
  return rows.map(({ id }) => id);
}
