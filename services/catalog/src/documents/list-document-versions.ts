import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import { document, documentVersion } from "./messages.ts";

const oneDocument = `SELECT ${columnsOf(DocumentEntity, "document")} FROM catalog.document
  WHERE application_id = $1 AND id = $2`;
const versionsOfDocument = `SELECT ${columnsOf(DocumentVersionEntity, "version")} FROM catalog.document_version version
  WHERE application_id = $1 AND document_id = $2 ORDER BY version_number DESC`;

/** A document and all of its versions, the highest number first. */
export function listDocumentVersions({ database }: Deps): Handlers<typeof DocumentService>["listDocumentVersions"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [documents = [], versions] = await database.readAll(call, [
      { name: "get-document-without-version", text: oneDocument, values },
      { name: "list-document-versions", text: versionsOfDocument, values },
    ]);
    const [row] = documents as DocumentRow[];
    if (row === undefined) throw notFound("Document");
    return { document: document(row), versions: (versions as DocumentVersionRow[]).map(documentVersion) };
  };
}
