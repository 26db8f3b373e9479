// Tables whose rows are transferred, and those that stay.

import type { Transaction } from "@ems/kit/db/transaction";
import type { TransferredTable } from "@ems/kit/db/transfer";
import type { Tenant } from "@ems/kit/tenant";
import { endUserKey } from "@ems/traces-client";
import { sessionId } from "../traces/index.ts";

const endUserKeys = { column: "end_user_key", from: "end_user", derive: endUserKey };
const sessionIds = { column: "session_id", from: "session", derive: sessionId };

/** Queues the steps for the search index, whose words are hashed by application. */
function queueWords(tx: Transaction, { applicationId, orgId }: Tenant, rows: readonly string[]): void {
  tx.defer(
    `INSERT INTO traces.search_job (application_id, org_id, trace_ids, positions, bytes)
     SELECT $1, $2, array_agg(s.trace_id), array_agg(s.first), sum(s.bytes)
     FROM (SELECT (r.value ->> 'trace_id')::uuid AS trace_id, min((r.value ->> 'position')::integer) AS first,
         sum(octet_length(r.value::text)) AS bytes
       FROM json_array_elements($3::json) r GROUP BY 1) s`,
    [applicationId, orgId, `[${rows.join(",")}]`],
  );
}

/** Archived traces stay, with all that belongs to them. */
const isStored = (traceId: string) =>
  `NOT EXISTS (SELECT FROM traces.dropped_trace d WHERE d.application_id = $1 AND d.id = ${traceId})`;
const isUsed = `EXISTS (SELECT FROM traces.trace_attachment u
  WHERE u.application_id = $1 AND u.hash = t.hash AND ${isStored("u.trace_id")})`;

/** In an order in which rows can be inserted. */
export const transferredTables: readonly TransferredTable[] = [
  { table: "trace", derived: [endUserKeys, sessionIds] },
  { table: "session", derived: [{ column: "id", from: "external_id", derive: sessionId }] },
  { table: "trace_metadata" },
  { table: "trace_step", time: "month", complete: queueWords },
  { table: "log_message" },
  { table: "feedback", derived: [endUserKeys], where: isStored("t.trace_id") },
  { table: "evaluation_name" },
  { table: "external_evaluation", where: isStored("t.trace_id") },
  { table: "trace_attachment", where: isStored("t.trace_id") },
  { table: "attachment", long: "content", where: isUsed },
  ...["step_day", "step_day_duration", "step_change", "step_day_start"].map((table) => ({ table })),
];

/** Tables that are not transferred: triggers fill them, or they are settings, work in progress or no content. */
export const otherTables: readonly string[] = [
  "trace_count",
  ...["ingest_setting", "model_price_list"],
  ...["dropped_trace", "search_job", "trace_words", "trace_settling", "archive_batch"],
  ...["audit", "idempotency", "import", "migration", "outbox", "retention"],
];
