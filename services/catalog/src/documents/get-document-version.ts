import { buildSelectList } from "@ems/kit/db/columns";
import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, DocumentVersionEntity, type DocumentVersionRow, versionEtags } from "./entity.ts";
import { documentBase, documentVersion } from "./messages.ts";

const documentById = rowById(DocumentEntity, "Document");
const versionByNumber = `SELECT ${buildSelectList(DocumentVersionEntity, "version")} FROM catalog.document_version version
  WHERE application_id = $1 AND document_id = $2 AND version_number = $3`;

export function getDocumentVersion({ database }: Deps): Handlers<typeof DocumentService>["getDocumentVersion"] {
  return async ({ id, versionNumber }, call) => {
    const values = [call.tenant.applicationId, id, versionNumber];
    const [documents, versions] = await database.readAll(call, [
      documentById.statement(call, id),
      { name: "get-document-version", text: versionByNumber, values },
    ]);
    const row = documentById.only(documents);
    const [version] = versions as DocumentVersionRow[];
    if (version === undefined) throw notFound("Version");
    versionEtags.answer(call, version);
    return { document: documentBase(row, call), version: documentVersion(row, version) };
  };
}
