import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { buildMessage } from "@ems/kit/message";
import { messageBytes } from "@ems/kit/message-bytes";
import type { Call } from "@ems/kit/rpc/call";
import { DocumentBaseSchema, DocumentSchema, DocumentVersionSchema } from "@ems/proto/catalog/v1/document_service";
import type { CoreTagSchema } from "@ems/proto/catalog/v1/tag_service";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";

/** A version without its size and chunks. */
export type VersionContent = Omit<DocumentVersionRow, "sizeBytes" | "chunkCount">;

type DocumentType = Pick<DocumentRow, "type">;

/** Sets the caller as the assignee of documents without one, from before assignees were required. */
const assigned = (row: DocumentRow, { tenant }: Call) => ({ ...row, assignee: row.assignee ?? tenant.userId });

export const documentBase = (row: DocumentRow, call: Call) => buildMessage(DocumentBaseSchema, assigned(row, call));

export const documentVersion = ({ type }: DocumentType, version: VersionContent) =>
  buildMessage(DocumentVersionSchema, { ...version, type });

/** Builds the message of a document; `versions` must include the active one. */
export function document(
  row: DocumentRow,
  versions: readonly VersionContent[],
  tags: readonly MessageInitShape<typeof CoreTagSchema>[],
  call: Call,
) {
  const active = versions.find(({ versionNumber }) => versionNumber === row.activeVersion);
  if (active === undefined) throw new Error("a document's active version is missing");
  return buildMessage(DocumentSchema, {
    ...assigned(row, call),
    title: active.title,
    content: active.content,
    versions: versions.map((version) => documentVersion(row, version)),
    activeVersionNumber: row.activeVersion,
    tags,
  });
}

/** Returns the size of the message of a version. */
export function getSizeBytes(type: DocumentType, version: VersionContent): number {
  return messageBytes(DocumentVersionSchema, create(DocumentVersionSchema, documentVersion(type, version)));
}
