import type { Transaction } from "@ems/kit/db/transaction";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { documentStatus } from "./new-version.ts";

type Handler = Handlers<typeof DocumentService>["updateDocumentStatus"];

/** Gives the active versions of many documents one status; tells which documents have another than before. */
export function updateDocumentStatus({
  database,
  publish,
  clock,
}: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return ({ documentIds, status }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      // The database answers ids in lower case, whatever case they were asked in.
      const asked = new Map(documentIds.map((id) => [id.toLowerCase(), id]));
      const held = await holdDocuments(tx, applicationId, [...asked.keys()]);
      const changed = await changeStatus(tx, applicationId, [...held], documentStatus(status), clock.now());
      if (changed.size > 0) {
        const value = { documentIds: [...asked.keys()].filter((id) => changed.has(id)), status };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return {
        success: [...asked.keys()].filter((id) => held.has(id)),
        failed: [...asked].filter(([id]) => !held.has(id)).map(([, id]) => ({ id, reason: "Document not found" })),
      };
    });
}

/**
 * Takes hold of the documents, in the order of their ids: two calls with the same documents wait for one another rather
 * than each for the other. A statement of its own, so that the next one sees which versions are active by then.
 */
async function holdDocuments(tx: Transaction, applicationId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM catalog.document WHERE application_id = $1 AND id = ANY ($2::uuid[])
     ORDER BY id FOR NO KEY UPDATE`,
    [applicationId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The ids of the held documents whose active version had another status. */
async function changeStatus(
  tx: Transaction,
  applicationId: string,
  ids: string[],
  status: string,
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `WITH changed AS (
       UPDATE catalog.document_version v SET status = $3, modified_at = $4
       FROM catalog.document d
       WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])
         AND v.application_id = $1 AND v.document_id = d.id AND v.version_number = d.active_version AND v.status <> $3
       RETURNING v.document_id
     )
     UPDATE catalog.document d SET modified_at = $4
     FROM changed WHERE d.application_id = $1 AND d.id = changed.document_id
     RETURNING d.id`,
    [applicationId, ids, status, now],
  );
  return new Set(rows.map(({ id }) => id));
}
