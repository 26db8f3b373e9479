// Traces of live traffic, which name no test until they are sampled.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";

interface Owned {
  readonly applicationId: string;
  readonly traceId: string;
}

const metadataText = "SELECT metadata FROM experiments.trace WHERE application_id = $1 AND id = $2";
const nameTest = `UPDATE experiments.trace SET test_id = $3, modified_at = $4
  WHERE application_id = $1 AND id = $2 AND test_id IS NULL`;

/** The metadata of a trace; undefined where there is no such trace. */
export async function metadataOfTrace(
  database: Database,
  trace: Owned,
  deadlineMs: number,
): Promise<JsonObject | JsonValue[] | undefined> {
  const values = [trace.applicationId, trace.traceId];
  const statement = { name: "live-metadata", text: metadataText, values };
  const [row] = await database.readScoped<{ metadata: JsonObject | JsonValue[] }>(trace, deadlineMs, statement);
  return row?.metadata;
}

/** Names the test of a trace that has none, within the transaction that creates it. */
export function nameTestOfTrace(tx: Transaction, { applicationId, traceId }: Owned, testId: string, now: Date): void {
  tx.defer(nameTest, [applicationId, traceId, testId, now]);
}
