// From documents' rows to their messages.

import { create, type JsonObject, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ActiveDocumentSchema,
  type DocumentSchema,
  DocumentStatus,
  DocumentVersionSchema,
} from "@ems/proto/catalog/v1/document_service";
import type { DocumentRow } from "./entity.ts";
import type { DocumentVersionRow } from "./version-entity.ts";

export function document(row: DocumentRow): MessageInitShape<typeof DocumentSchema> {
  return documentFields(row);
}

export function activeDocument(
  row: DocumentRow,
  activeVersion: VersionContent,
): MessageInitShape<typeof ActiveDocumentSchema> {
  return {
    ...documentFields(row),
    ...(row.topicId !== null && { topicId: row.topicId }),
    activeVersion: documentVersion(activeVersion),
  };
}

function documentFields({ id, orgId, assignee, scrapeJobId, createdAt, modifiedAt }: DocumentRow) {
  return {
    id,
    orgId,
    ...(assignee !== null && { assignee }),
    ...(scrapeJobId !== null && { scrapeJobId }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

/** A version without what only the database needs to know. */
export type VersionContent = Omit<DocumentVersionRow, "applicationId" | "sizeBytes">;

export function documentVersion({
  id,
  orgId,
  documentId,
  versionNumber,
  title,
  content,
  status,
  language,
  metadata,
  originalSentences,
  createdAt,
  modifiedAt,
}: VersionContent): MessageInitShape<typeof DocumentVersionSchema> {
  return {
    id,
    orgId,
    documentId,
    versionNumber,
    title,
    content,
    status: DocumentStatus[status],
    language,
    // What came as JSON and is stored as jsonb.
    ...(metadata !== null && { metadata: metadata as JsonObject }),
    originalSentences,
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

/** What the version takes in an answer between services. */
export function sizeBytesOf(version: VersionContent): number {
  return toBinary(DocumentVersionSchema, create(DocumentVersionSchema, documentVersion(version))).length;
}
