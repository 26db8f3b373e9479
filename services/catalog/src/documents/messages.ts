import { create } from "@bufbuild/protobuf";
import { messageOf } from "@ems/kit/message";
import { messageBytes } from "@ems/kit/message-bytes";
import { ActiveDocumentSchema, DocumentSchema, DocumentVersionSchema } from "@ems/proto/catalog/v1/document_service";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";

/** A version without its tenant's application and its size. */
export type VersionContent = Omit<DocumentVersionRow, "applicationId" | "sizeBytes">;

export const document = (row: DocumentRow) => messageOf(DocumentSchema, row);

export const documentVersion = (row: VersionContent) => messageOf(DocumentVersionSchema, row);

export const activeDocument = (row: DocumentRow, version: VersionContent) =>
  messageOf(ActiveDocumentSchema, { ...row, activeVersion: documentVersion(version) });

/** The size of a version as a message. */
export function sizeBytesOf(version: VersionContent): number {
  return messageBytes(DocumentVersionSchema, create(DocumentVersionSchema, documentVersion(version)));
}
