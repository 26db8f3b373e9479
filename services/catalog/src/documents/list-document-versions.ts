import { columnsOf } from "@ems/kit/db/columns";
import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import { document, documentVersion } from "./messages.ts";

const documentById = rowById(DocumentEntity, "Document");
const versionsOfDocument = `SELECT ${columnsOf(DocumentVersionEntity, "version")} FROM catalog.document_version version
  WHERE application_id = $1 AND document_id = $2 ORDER BY version_number DESC`;

/** A document and all of its versions, the highest number first. */
export function listDocumentVersions({ database }: Deps): Handlers<typeof DocumentService>["listDocumentVersions"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [documents, versions] = await database.readAll(call, [
      documentById.statement(call, id),
      { name: "list-document-versions", text: versionsOfDocument, values },
    ]);
    const row = documentById.only(documents);
    return { document: document(row), versions: (versions as DocumentVersionRow[]).map(documentVersion) };
  };
}
