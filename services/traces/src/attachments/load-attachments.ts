import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { traceAttachmentsMax } from "@ems/proto/limits";

export interface StoredAttachment {
  readonly traceId: string;
  readonly hash: string;
  readonly mediaType: string;
  readonly size: number;
}

const byTraces = `SELECT t.trace_id AS "traceId", a.hash, a.media_type AS "mediaType", a.size
  FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT t.trace_id, t.hash, t.created_at FROM traces.trace_attachment t
    WHERE t.application_id = $1 AND t.trace_id = wanted.id ORDER BY t.hash LIMIT ${traceAttachmentsMax}) t
  JOIN traces.attachment a ON a.application_id = $1 AND a.hash = t.hash
  ORDER BY t.created_at, a.hash`;

/** Reads the attachments of traces without their content, by trace. */
export async function loadAttachments(
  database: Database,
  call: Call,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredAttachment[]>> {
  if (traceIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, traceIds];
  const rows = await database.read<StoredAttachment>(call, { name: "attachments-of-traces", text: byTraces, values });
  return Map.groupBy(rows, ({ traceId }) => traceId);
}
