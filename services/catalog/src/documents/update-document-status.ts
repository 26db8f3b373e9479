import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";

// Locks rows in id order, which prevents deadlocks. A separate statement, so that the next one's snapshot sees which
// versions are active after locking.
const lockDocuments = `SELECT id FROM catalog.document WHERE application_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id FOR NO KEY UPDATE`;

const changeStatus = `WITH changed AS (
    UPDATE catalog.document_version v SET status = $3, modified_at = $4
    FROM catalog.document d
    WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])
      AND v.application_id = $1 AND v.document_id = d.id AND v.version_number = d.active_version AND v.status <> $3
    RETURNING v.document_id
  )
  UPDATE catalog.document d SET modified_at = $4
  FROM changed WHERE d.application_id = $1 AND d.id = changed.document_id
  RETURNING d.id`;

/** Sets the status of many documents' active versions; the event lists those whose status changed. */
export function updateDocumentStatus({
  database,
  publish,
  clock,
}: Deps): Handlers<typeof DocumentService>["updateDocumentStatus"] {
  return ({ documentIds, status }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      // Rows have lower-case ids, but failures must repeat each id as it was requested.
      const requested = new Map(documentIds.map((id) => [id.toLowerCase(), id]));
      const ids = [...requested.keys()];
      const [found, changed] = await Promise.all([
        readIds(tx, lockDocuments, [applicationId, ids]),
        readIds(tx, changeStatus, [applicationId, ids, enumName(DocumentStatusSchema, status), clock.now()]),
      ]);
      if (changed.size > 0) {
        const value = { documentIds: ids.filter((id) => changed.has(id)), status };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return {
        success: ids.filter((id) => found.has(id)),
        failed: [...requested].filter(([id]) => !found.has(id)).map(([, id]) => ({ id, reason: "Document not found" })),
      };
    });
}

async function readIds(tx: Transaction, text: string, values: unknown[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(text, values);
  return new Set(rows.map(({ id }) => id));
}
