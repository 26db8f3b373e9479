import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity } from "./entity.ts";

const lockDocument = "SELECT FROM catalog.document WHERE application_id = $1 AND id = $2 FOR UPDATE";
/** Keeps facts from the document, without their source. */
const releaseFacts = `UPDATE catalog.fact SET source_document_id = NULL
  WHERE application_id = $1 AND source_document_id = $2`;

/** Deletes a document; its versions are deleted by the foreign key's cascade. */
export function deleteDocument({ database }: Deps): Handlers<typeof DocumentService>["deleteDocument"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      // Locks the document first, so that a concurrently created fact either finds it or fails.
      tx.defer(lockDocument, [applicationId, id]);
      tx.defer(releaseFacts, [applicationId, id]);
      const deleted = await tx.commit(tx.delete(DocumentEntity, { applicationId, id }));
      if (deleted === 0) throw notFound("Document");
      return {};
    });
}
