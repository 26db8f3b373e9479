import { columnsOf } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound, tooLarge } from "@ems/kit/errors";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import type { VersionContent } from "./messages.ts";

/** The columns of a version that ActiveDocumentRow has by their own names. */
const contentProperties = ["title", "content", "status", "language", "metadata", "originalSentences"] as const;

/** The columns of ActiveDocumentRow, of `activeDocuments`. */
export const activeDocumentColumns = `${columnsOf(DocumentEntity, "document")},
  ${columnsOf(DocumentVersionEntity, "version", contentProperties)},
  version.id AS "versionId", version.created_at AS "versionCreatedAt", version.modified_at AS "versionModifiedAt"`;

/** Documents, each with its active version. */
export const activeDocuments = `catalog.document JOIN catalog.document_version version
  ON version.application_id = document.application_id AND version.document_id = document.id
    AND version.version_number = document.active_version`;

export type ActiveDocumentRow = DocumentRow &
  Pick<DocumentVersionRow, (typeof contentProperties)[number]> & {
    readonly versionId: string;
    readonly versionCreatedAt: Date;
    readonly versionModifiedAt: Date;
  };

export function activeVersionOf(row: ActiveDocumentRow): VersionContent {
  const { id: documentId, activeVersion: versionNumber, versionId: id, versionCreatedAt, versionModifiedAt } = row;
  return { ...row, id, documentId, versionNumber, createdAt: versionCreatedAt, modifiedAt: versionModifiedAt };
}

// Row lock of every change to a document or its versions: version numbers stay unique, and the active version's status
// cannot change between read and write.
export async function lockDocument(tx: Transaction, applicationId: string, id: string): Promise<DocumentRow> {
  const row = await tx.findOne(DocumentEntity, { applicationId, id }, { lock: "NO KEY UPDATE" });
  if (row === null) throw notFound("Document");
  return row;
}

export async function getVersion(
  tx: Transaction,
  { applicationId, id: documentId }: DocumentRow,
  versionNumber: number,
): Promise<DocumentVersionRow> {
  const row = await tx.findOne(DocumentVersionEntity, { applicationId, documentId, versionNumber });
  if (row === null) throw notFound("Version");
  return row;
}

const sizeOfVersions = `SELECT coalesce(sum(size_bytes), 0) AS bytes FROM catalog.document_version
  WHERE application_id = $1 AND document_id = $2`;

/** The versions of a locked document have to fit one answer. */
export async function assertVersionsFit(tx: Transaction, { applicationId, id }: DocumentRow): Promise<void> {
  const [size] = await tx.query<{ bytes: string }>(sizeOfVersions, [applicationId, id]);
  assertFits(Number(size?.bytes));
}

/** `bytes` of all versions. */
export function assertFits(bytes: number): void {
  if (bytes <= answerBytesMax) return;
  throw tooLarge(`The document is too large: all of its versions may have ${sizeText(answerBytesMax)} together`);
}
