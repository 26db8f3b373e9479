import { splitChunks } from "../chunks.ts";
import type { DocumentRow, DocumentVersionRow } from "./entity.ts";
import { getSizeBytes, type VersionContent } from "./messages.ts";

type Content = Pick<DocumentVersionRow, "title" | "content" | "status" | "language" | "metadata" | "originalSentences">;

/** Builds a version of the document, whose creation time is the document's last change. */
export function newVersion(
  { applicationId, orgId, id: documentId, modifiedAt, type }: DocumentRow,
  { title, content, status, language, metadata, originalSentences }: Content,
  identity: Pick<DocumentVersionRow, "id" | "versionNumber">,
): DocumentVersionRow {
  const texts = { title, content, status, language, metadata, originalSentences };
  const dates = { createdAt: modifiedAt, modifiedAt };
  return measured({ type }, { ...identity, applicationId, orgId, documentId, ...texts, ...dates });
}

/** Adds the message size and the number of chunks to a version. */
export function measured(type: Pick<DocumentRow, "type">, version: VersionContent): DocumentVersionRow {
  return { ...version, sizeBytes: getSizeBytes(type, version), chunkCount: splitChunks(version).length };
}
