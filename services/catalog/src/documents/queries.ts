// Documents as they are read, and as those who change one take hold of it.

import { columnsOf } from "@ems/kit/db/columns";
import type { Database, Statement } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound, tooLarge } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { answerBytesMax } from "../answer-size.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import type { VersionContent } from "./messages.ts";

/** The columns of DocumentRow, of `catalog.document d`. */
const documentColumns = columnsOf(DocumentEntity, "d");

/** Of `catalog.document_version v`, what a version has and its document has not. */
const contentColumns = columnsOf(DocumentVersionEntity, "v", [
  "title",
  "content",
  "status",
  "language",
  "metadata",
  "originalSentences",
]);

/** The columns of ActiveDocumentRow, of `catalog.document d` and its active version `v`. */
export const activeDocumentColumns = `${documentColumns}, ${contentColumns},
  v.id AS "versionId", v.created_at AS "versionCreatedAt", v.modified_at AS "versionModifiedAt"`;

/** Documents `d`, each with its active version `v`. */
export const activeDocuments = `catalog.document d JOIN catalog.document_version v
  ON v.application_id = d.application_id AND v.document_id = d.id AND v.version_number = d.active_version`;

/** A document and its active version in one row. */
export interface ActiveDocumentRow
  extends DocumentRow,
    Pick<DocumentVersionRow, "title" | "content" | "status" | "language" | "metadata" | "originalSentences"> {
  versionId: string;
  versionCreatedAt: Date;
  versionModifiedAt: Date;
}

export function activeVersionOf(row: ActiveDocumentRow): VersionContent {
  const { id: documentId, activeVersion: versionNumber, versionId: id, versionCreatedAt, versionModifiedAt } = row;
  return { ...row, id, documentId, versionNumber, createdAt: versionCreatedAt, modifiedAt: versionModifiedAt };
}

/** A document of the caller's application with its active version; undefined when it has none of that id. */
export async function findActiveDocument(
  database: Database,
  call: Call,
  id: string,
): Promise<ActiveDocumentRow | undefined> {
  const text = `SELECT ${activeDocumentColumns} FROM ${activeDocuments} WHERE d.application_id = $1 AND d.id = $2`;
  const values = [call.tenant.applicationId, id];
  const [row] = await database.read<ActiveDocumentRow>(call, { name: "get-document", text, values });
  return row;
}

/** Reads the row of one document. */
export function documentStatement({ tenant }: Call, id: string): Statement {
  return {
    name: "get-bare-document",
    text: `SELECT ${documentColumns} FROM catalog.document d WHERE d.application_id = $1 AND d.id = $2`,
    values: [tenant.applicationId, id],
  };
}

/** Reads all versions of one document, the highest number first. */
export function versionsStatement({ tenant }: Call, documentId: string): Statement {
  return {
    name: "list-document-versions",
    text: `SELECT v.id, v.org_id AS "orgId", v.document_id AS "documentId", v.version_number AS "versionNumber",
        ${contentColumns}, v.created_at AS "createdAt", v.modified_at AS "modifiedAt"
      FROM catalog.document_version v WHERE v.application_id = $1 AND v.document_id = $2 ORDER BY v.version_number DESC`,
    values: [tenant.applicationId, documentId],
  };
}

/**
 * The document, held until the transaction ends. Whoever changes a document or its versions takes hold of it first, so
 * that one waits for the other: version numbers never collide, and nobody judges by a version that another is changing.
 */
export async function holdDocument(tx: Transaction, applicationId: string, id: string): Promise<DocumentRow> {
  const where = { applicationId, id };
  const row = await tx.findOne(DocumentEntity, where, { lock: "NO KEY UPDATE" });
  if (row === null) throw notFound("Document");
  return row;
}

/** One version of a document that is held. */
export async function versionOf(
  tx: Transaction,
  { applicationId, id: documentId }: DocumentRow,
  versionNumber: number,
): Promise<DocumentVersionRow> {
  const row = await tx.findOne(DocumentVersionEntity, { applicationId, documentId, versionNumber });
  if (row === null) throw notFound("Version");
  return row;
}

const sizeOfVersions = `SELECT coalesce(sum(size_bytes), 0) AS "sizeBytes" FROM catalog.document_version
  WHERE application_id = $1 AND document_id = $2`;

/** Refuses what makes the versions of a held document larger than one answer may be. */
export async function refuseTooLarge(tx: Transaction, { applicationId, id }: DocumentRow): Promise<void> {
  const [held] = await tx.query<{ sizeBytes: string }>(sizeOfVersions, [applicationId, id]);
  if (Number(held?.sizeBytes) > answerBytesMax) {
    throw tooLarge("The document is too large: all of its versions may have 3 MiB together");
  }
}

/** Says when a held document was last changed. */
export async function touchDocument(tx: Transaction, row: DocumentRow, modifiedAt: Date): Promise<DocumentRow> {
  await tx.update(DocumentEntity, { applicationId: row.applicationId, id: row.id }, { modifiedAt });
  return { ...row, modifiedAt };
}
