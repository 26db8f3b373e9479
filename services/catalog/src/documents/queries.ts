import type { MessageInitShape } from "@bufbuild/protobuf";
import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound, tooLarge } from "@ems/kit/errors";
import type { CoreTagSchema } from "@ems/proto/catalog/v1/tag_service";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";

/** Joins documents with their active versions. */
export const activeDocuments = `catalog.document JOIN catalog.document_version version
  ON version.application_id = document.application_id AND version.document_id = document.id
    AND version.version_number = document.active_version`;

/** Selects a document's tags as JSON, ordered by name. */
const tagsOfDocument = `coalesce((SELECT json_agg(json_build_object('id', tag.id, 'color', tag.color, 'name', tag.name)
    ORDER BY tag.name, tag.id) FROM catalog.document_tag
  JOIN catalog.tag ON tag.application_id = document_tag.application_id AND tag.id = document_tag.tag_id
  WHERE document_tag.application_id = document.application_id AND document_tag.document_id = document.id), '[]') AS tags`;

/** Selects the columns of a document with its tags. */
export const taggedColumns = `${buildSelectList(DocumentEntity, "document")}, ${tagsOfDocument}`;

export interface TaggedDocumentRow extends DocumentRow {
  readonly tags: MessageInitShape<typeof CoreTagSchema>[];
}

const versionColumns = buildSelectList(DocumentVersionEntity, "version");

export const versionsOfDocument = `SELECT ${versionColumns} FROM catalog.document_version version
  WHERE application_id = $1 AND document_id = $2 ORDER BY version_number DESC`;

const lockedDocument = `SELECT ${buildSelectList(DocumentEntity, "document")} FROM catalog.document
  WHERE application_id = $1 AND id = $2 FOR NO KEY UPDATE`;

const lockedTaggedDocument = `SELECT ${taggedColumns} FROM catalog.document
  WHERE application_id = $1 AND id = $2 FOR NO KEY UPDATE OF document`;

const versionByNumber = `SELECT ${versionColumns} FROM catalog.document_version version
  WHERE application_id = $1 AND document_id = $2 AND version_number = $3`;

const activeVersion = `SELECT ${versionColumns} FROM ${activeDocuments}
  WHERE document.application_id = $1 AND document.id = $2`;

const sumsOfVersions = `SELECT max(version_number) AS "lastNumber", sum(size_bytes) AS bytes
  FROM catalog.document_version WHERE application_id = $1 AND document_id = $2`;

interface VersionSums {
  readonly lastNumber: number;
  readonly bytes: string;
}

export interface Versions {
  /** Number of versions, and so the last version number: versions are numbered from 1, never deleted separately. */
  readonly lastNumber: number;
  readonly bytes: number;
}

export interface LockedVersion {
  readonly document: DocumentRow;
  readonly version: DocumentVersionRow;
  readonly all: Versions;
}

// Every change to a document or its versions takes this row lock. So version numbers stay unique, and the status of the
// active version cannot change between read and write. The later statements of the round trip see what earlier lock
// holders committed.
/** Locks a document and reads one of its versions, by default the active one, in one round trip. */
export async function lockVersion(
  tx: Transaction,
  applicationId: string,
  id: string,
  versionNumber?: number,
): Promise<LockedVersion> {
  const key = [applicationId, id];
  const [[document], [version], [sums]] = await Promise.all([
    tx.query<DocumentRow>({ name: "lock-document", text: lockedDocument, values: key }),
    versionNumber === undefined
      ? tx.query<DocumentVersionRow>({ name: "active-version", text: activeVersion, values: key })
      : tx.query<DocumentVersionRow>({ name: "version", text: versionByNumber, values: [...key, versionNumber] }),
    tx.query<VersionSums>({ name: "sums-of-versions", text: sumsOfVersions, values: key }),
  ]);
  if (document === undefined) throw notFound("Document");
  if (version === undefined || sums === undefined) throw notFound("Version");
  return { document, version, all: { lastNumber: sums.lastNumber, bytes: Number(sums.bytes) } };
}

/** Locks a document and reads all of its versions and its tags, in one round trip. */
export async function lockVersions(
  tx: Transaction,
  applicationId: string,
  id: string,
): Promise<{ document: TaggedDocumentRow; versions: DocumentVersionRow[] }> {
  const key = [applicationId, id];
  const [[document], versions] = await Promise.all([
    tx.query<TaggedDocumentRow>({ name: "lock-tagged-document", text: lockedTaggedDocument, values: key }),
    tx.query<DocumentVersionRow>({ name: "list-document-versions", text: versionsOfDocument, values: key }),
  ]);
  if (document === undefined) throw notFound("Document");
  return { document, versions };
}

/** Throws if `bytes`, the size of all versions, exceeds the response limit. */
export function assertFits(bytes: number): void {
  if (bytes <= answerBytesMax) return;
  throw tooLarge(`The document is too large: all of its versions together are limited to ${sizeText(answerBytesMax)}`);
}
