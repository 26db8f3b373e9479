import type { Transaction } from "@ems/kit/db/transaction";

const incomplete = `SELECT DISTINCT s.test_id AS id FROM experiments.incomplete_trace_v1 s
  WHERE s.application_id = $1 AND s.test_id = ANY ($2::uuid[])`;

/** Returns the tests with a trace that is incomplete and will close the test on completion. */
export async function incompleteTests(
  tx: Transaction,
  applicationId: string,
  testIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = [applicationId, testIds];
  const rows = await tx.query<{ id: string }>({ name: "incomplete-tests", text: incomplete, values });
  return new Set(rows.map(({ id }) => id));
}
