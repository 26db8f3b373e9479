import { enumName } from "@ems/kit/enum";
import {
  type CreateDocumentVersionRequest,
  DocumentStatus,
  DocumentStatusSchema,
} from "@ems/proto/catalog/v1/document_service";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";
import { sizeBytesOf } from "./messages.ts";

type Content = Pick<CreateDocumentVersionRequest, "title" | "content" | "status" | "metadata" | "originalSentences">;

/** A version of the document, a DRAFT unless the request says otherwise. */
export function newVersion(
  { applicationId, orgId, id: documentId, modifiedAt }: DocumentRow,
  { title, content, status = DocumentStatus.DRAFT, metadata, originalSentences }: Content,
  identity: Pick<DocumentVersionRow, "id" | "versionNumber" | "language">,
): DocumentVersionRow {
  const version = {
    ...identity,
    applicationId,
    orgId,
    documentId,
    title,
    content,
    status: enumName<DocumentVersionRow["status"]>(DocumentStatusSchema, status),
    metadata: metadata ?? null,
    originalSentences,
    createdAt: modifiedAt,
    modifiedAt,
  };
  return { ...version, sizeBytes: sizeBytesOf(version) };
}
