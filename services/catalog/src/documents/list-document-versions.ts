import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentVersionRow } from "./entity.ts";
import { documentBase, documentVersion } from "./messages.ts";
import { versionsOfDocument } from "./queries.ts";

const documentById = rowById(DocumentEntity, "Document");

/** Returns a document and all of its versions, highest number first. */
export function listDocumentVersions({ database }: Deps): Handlers<typeof DocumentService>["listDocumentVersions"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [documents, versions] = await database.readAll(call, [
      documentById.statement(call, id),
      { name: "list-document-versions", text: versionsOfDocument, values },
    ]);
    const row = documentById.only(documents);
    const messages = (versions as DocumentVersionRow[]).map((version) => documentVersion(row, version));
    return { document: documentBase(row, call), versions: messages };
  };
}
