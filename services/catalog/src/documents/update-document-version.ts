import { enumName } from "@ems/kit/enum";
import { fromListValue, fromValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type DocumentService,
  DocumentStatus,
  DocumentStatusSchema,
  type UpdateDocumentVersionRequest,
} from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, DocumentVersionEntity, type DocumentVersionRow, versionEtags } from "./entity.ts";
import { documentBase, documentVersion } from "./messages.ts";
import { measured } from "./new-version.ts";
import { assertFits, lockVersion } from "./queries.ts";

/** Updates a version; publishes an event if the status of the document's active version changes. */
export function updateDocumentVersion({
  database,
  publish,
  clock,
}: Deps): Handlers<typeof DocumentService>["updateDocumentVersion"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const { document, version, all } = await lockVersion(tx, applicationId, request.id, request.versionNumber);
      versionEtags.check(call, version);
      const change = readChanges(request);
      if (Object.keys(change).length === 0) {
        versionEtags.answer(call, version);
        return { document: documentBase(document, call), version: documentVersion(document, version) };
      }
      const modifiedAt = clock.now();
      const changed = measured(document, { ...version, ...change, modifiedAt });
      const { sizeBytes, chunkCount } = changed;
      versionEtags.answer(call, changed);
      assertFits(all.bytes - version.sizeBytes + sizeBytes);
      const stored = { ...change, sizeBytes, chunkCount, modifiedAt };
      tx.deferUpdate(DocumentVersionEntity, { applicationId, id: version.id }, stored);
      tx.deferUpdate(DocumentEntity, { applicationId, id: document.id }, { modifiedAt });
      if (version.versionNumber === document.activeVersion && changed.status !== version.status) {
        const value = { documentIds: [document.id], status: DocumentStatus[changed.status] };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return {
        document: documentBase({ ...document, modifiedAt }, call),
        version: documentVersion(document, changed),
      };
    });
}

function readChanges({ title, content, language, status, metadata, originalSentences }: UpdateDocumentVersionRequest) {
  return definedFields({
    title,
    content,
    language,
    status: enumName<DocumentVersionRow["status"]>(DocumentStatusSchema, status),
    // Safe casts: validation of the request allows only an object or null, and a list of strings.
    metadata: metadata && ((fromValue(metadata) as object | null) ?? {}),
    originalSentences: originalSentences && (fromListValue(originalSentences) as string[]),
  });
}
