import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { traceFeedbackMax } from "@ems/proto/limits";
import { FeedbackEntity, type FeedbackRow } from "./entity.ts";

const ofTraces = `SELECT ${buildSelectList(FeedbackEntity, "f")} FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.feedback f WHERE f.application_id = $1 AND f.trace_id = wanted.id
    ORDER BY f.created_at DESC, f.id DESC LIMIT ${traceFeedbackMax}) f`;

/** Reads the newest feedback on traces, by trace. */
export async function loadFeedback(
  database: Database,
  call: Call,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, FeedbackRow[]>> {
  if (traceIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, traceIds];
  const rows = await database.read<FeedbackRow>(call, { name: "feedback-of-traces", text: ofTraces, values });
  return Map.groupBy(rows, ({ traceId }) => traceId);
}
