import type { Statement } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable } from "@ems/kit/readers";
import { AttachmentEntity, TraceAttachmentEntity } from "./entity.ts";
import type { Attachment } from "./extract.ts";

interface Owner {
  readonly applicationId: string;
  readonly orgId: string;
}

export interface TraceAttachments {
  readonly traceId: string;
  readonly attachments: readonly Attachment[];
}

type Update = { readonly traceId: string; readonly attachments?: readonly Attachment[] };

/** Returns the attachments of those updates that were stored. */
export function listStored(
  updates: readonly (Update | object)[],
  results: readonly object[],
): readonly TraceAttachments[] {
  return updates.flatMap((update, index) => {
    if (!("traceId" in update) || "error" in (results[index] ?? {})) return [];
    const { traceId, attachments = [] } = update;
    return attachments.length === 0 ? [] : [{ traceId, attachments }];
  });
}

/** Content is deleted with its last trace; the lock prevents that a concurrent trace loses it. */
const lock = (mode: "store" | "delete") =>
  `SELECT pg_advisory_xact_lock${mode === "store" ? "_shared" : ""}(hashtextextended('traces.attachment/' || $1, 0))`;

/** Stores the attachments of traces. Call it after the traces are locked. */
export async function storeAttachments(
  tx: Transaction,
  { applicationId, orgId }: Owner,
  used: readonly TraceAttachments[],
  createdAt: Date,
): Promise<void> {
  const links = new Map<string, { traceId: string; attachment: Attachment }>();
  for (const { traceId, attachments } of used)
    for (const attachment of attachments) links.set(`${traceId}/${attachment.hash}`, { traceId, attachment });
  if (links.size === 0) return;
  tx.defer(lock("store"), [applicationId]);
  const contents = new Map([...links.values()].map(({ attachment }) => [attachment.hash, attachment]));
  // One statement for each, because several large contents would exceed the size of a statement. Sorted against deadlocks.
  for (const [hash, { mediaType, content }] of [...contents].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const type = makeStorable(mediaType);
    const row = { applicationId, hash, orgId, mediaType: type, size: content.length, content, createdAt };
    await tx.insert(AttachmentEntity, row, { key: ["applicationId", "hash"], update: ["createdAt"] });
  }
  const rows = [...links].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await tx.insert(
    TraceAttachmentEntity,
    rows.map(([, { traceId, attachment }]) => ({ applicationId, traceId, hash: attachment.hash, createdAt })),
    "ignore",
  );
}

const unused = `WITH gone AS (
    DELETE FROM traces.trace_attachment WHERE application_id = $1 AND trace_id = ANY ($2::uuid[]) RETURNING hash
  ) DELETE FROM traces.attachment a USING gone
  WHERE a.application_id = $1 AND a.hash = gone.hash AND NOT EXISTS (SELECT FROM traces.trace_attachment t
    WHERE t.application_id = $1 AND t.hash = a.hash AND t.trace_id <> ALL ($2::uuid[]))`;

/** Deletes the attachments of traces that no other trace has. */
export async function deleteAttachments(
  tx: Transaction,
  applicationId: string,
  traceIds: readonly string[],
): Promise<void> {
  const [row] = await tx.query<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM traces.trace_attachment WHERE application_id = $1 AND trace_id = ANY ($2::uuid[]))",
    [applicationId, traceIds],
  );
  if (row?.exists !== true) return;
  tx.defer(lock("delete"), [applicationId]);
  tx.defer(unused, [applicationId, traceIds]);
}

const unusedArchived = `WITH gone AS (
    DELETE FROM traces.trace_attachment t USING traces.dropped_trace d
    WHERE t.application_id = $1 AND t.trace_id = d.id
      AND d.application_id = $1 AND d.created_at >= $2 AND d.created_at < $3 RETURNING t.trace_id, t.hash
  ) DELETE FROM traces.attachment a
  WHERE a.application_id = $1 AND a.hash IN (SELECT hash FROM gone) AND NOT EXISTS (SELECT FROM traces.trace_attachment t
    WHERE t.application_id = $1 AND t.hash = a.hash AND (t.trace_id, t.hash) NOT IN (SELECT trace_id, hash FROM gone))`;

/** Builds the statements that delete the attachments of archived traces that were created in an interval. */
export function expireAttachments(applicationId: string, from: Date | "-infinity", to: Date): Statement[] {
  return [
    { text: lock("delete"), values: [applicationId] },
    { text: unusedArchived, values: [applicationId, from, to] },
  ];
}
