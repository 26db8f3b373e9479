import { enumName } from "@ems/kit/enum";
import { fromListValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type CreateDocumentVersionRequest,
  type DocumentService,
  DocumentStatus,
  DocumentStatusSchema,
} from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, DocumentVersionEntity, type DocumentVersionRow, versionEtags } from "./entity.ts";
import { documentBase, documentVersion } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { assertFits, lockVersion } from "./queries.ts";

/** Creates an inactive version of a document: a copy of the active one with the requested changes. */
export function createDocumentVersion({
  database,
  clock,
  newId,
}: Deps): Handlers<typeof DocumentService>["createDocumentVersion"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const { document, version: active, all } = await lockVersion(tx, applicationId, request.id);
      const changed = { ...document, modifiedAt: clock.now() };
      const identity = { id: newId(), versionNumber: all.lastNumber + 1 };
      const version = newVersion(changed, { ...active, ...readContent(request) }, identity);
      assertFits(all.bytes + version.sizeBytes);
      await tx.insert(DocumentVersionEntity, version);
      tx.deferUpdate(DocumentEntity, { applicationId, id: document.id }, { modifiedAt: changed.modifiedAt });
      versionEtags.answer(call, version);
      return { document: documentBase(changed, call), version: documentVersion(changed, version) };
    });
}

function readContent(request: CreateDocumentVersionRequest) {
  const { title, content, language, metadata, originalSentences, status = DocumentStatus.DRAFT } = request;
  return definedFields({
    title,
    content,
    language,
    status: enumName<DocumentVersionRow["status"]>(DocumentStatusSchema, status),
    metadata,
    // Safe cast: validation of the request allows only a list of strings.
    originalSentences: originalSentences && (fromListValue(originalSentences) as string[]),
  });
}
