import { chunksOf } from "../chunks.ts";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";
import { sizeBytesOf, type VersionContent } from "./messages.ts";

type Content = Pick<DocumentVersionRow, "title" | "content" | "status" | "language" | "metadata" | "originalSentences">;

/** A version of the document, as old as its newest change. */
export function newVersion(
  { applicationId, orgId, id: documentId, modifiedAt, type }: DocumentRow,
  { title, content, status, language, metadata, originalSentences }: Content,
  identity: Pick<DocumentVersionRow, "id" | "versionNumber">,
): DocumentVersionRow {
  const texts = { title, content, status, language, metadata, originalSentences };
  const dates = { createdAt: modifiedAt, modifiedAt };
  return measured({ type }, { ...identity, applicationId, orgId, documentId, ...texts, ...dates });
}

/** The version with its size and its number of chunks. */
export function measured(type: Pick<DocumentRow, "type">, version: VersionContent): DocumentVersionRow {
  return { ...version, sizeBytes: sizeBytesOf(type, version), chunkCount: chunksOf(version).length };
}
