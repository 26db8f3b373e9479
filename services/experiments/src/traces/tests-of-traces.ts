import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";

const named = `SELECT DISTINCT trace.test_id AS "testId" FROM experiments.trace_v1 trace
  WHERE trace.application_id = $1 AND trace.test_id IS NOT NULL
    AND (trace.id = ANY (($2::text[])::uuid[]) OR trace.reference_id = ANY ($2::text[]))`;

/** Returns the tests of the traces with these ids or reference ids. Ignores archived traces. */
export async function testsOfTraces(
  { database }: Pick<Stores, "database">,
  call: Call,
  ids: readonly string[],
): Promise<string[]> {
  const values = [call.tenant.applicationId, ids];
  const rows = await database.read<{ testId: string }>(call, { name: "tests-of-traces", text: named, values });
  return rows.map(({ testId }) => testId);
}
