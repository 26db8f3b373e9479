import { enumName } from "@ems/kit/enum";
import {
  type CreateDocumentVersionRequest,
  DocumentStatus,
  DocumentStatusSchema,
} from "@ems/proto/catalog/v1/document_service";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";
import { sizeBytesOf } from "./messages.ts";

/** What a caller says of a new version. */
type Said = Pick<CreateDocumentVersionRequest, "title" | "content" | "status" | "metadata" | "originalSentences"> & {
  readonly language: string;
};

interface Place {
  readonly id: string;
  readonly versionNumber: number;
  readonly now: Date;
}

/** A version of `document`, a DRAFT unless told otherwise. */
export function newVersion(
  { applicationId, orgId, id: documentId }: DocumentRow,
  { title, content, status = DocumentStatus.DRAFT, language, metadata, originalSentences }: Said,
  { id, versionNumber, now }: Place,
): DocumentVersionRow {
  const version = {
    applicationId,
    id,
    orgId,
    documentId,
    versionNumber,
    title,
    content,
    status: enumName<DocumentVersionRow["status"]>(DocumentStatusSchema, status),
    language,
    metadata: metadata ?? null,
    originalSentences,
    createdAt: now,
    modifiedAt: now,
  };
  return { ...version, sizeBytes: sizeBytesOf(version) };
}
