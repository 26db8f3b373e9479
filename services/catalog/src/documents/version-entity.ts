import { EntitySchema } from "typeorm";

export interface DocumentVersionRow {
  applicationId: string;
  id: string;
  orgId: string;
  documentId: string;
  versionNumber: number;
  title: string;
  content: string;
  status: "DRAFT" | "REVIEW" | "APPROVED" | "ARCHIVED" | "ACTIVE";
  language: string;
  metadata: object | null;
  originalSentences: string[];
  /** What the version takes in an answer: answers have a largest size. */
  sizeBytes: number;
  createdAt: Date;
  modifiedAt: Date;
}

export const DocumentVersionEntity = new EntitySchema<DocumentVersionRow>({
  name: "DocumentVersion",
  tableName: "document_version",
  schema: "catalog",
  columns: {
    applicationId: {
      type: "uuid",
      name: "application_id",
      primary: true,
      primaryKeyConstraintName: "document_version_pkey",
    },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "document_version_pkey" },
    orgId: { type: "text", name: "org_id" },
    documentId: { type: "uuid", name: "document_id" },
    versionNumber: { type: "integer", name: "version_number" },
    title: { type: "text" },
    content: { type: "text" },
    status: { type: "text" },
    language: { type: "text" },
    metadata: { type: "jsonb", nullable: true },
    originalSentences: { type: "text", name: "original_sentences", array: true },
    sizeBytes: { type: "integer", name: "size_bytes" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  uniques: [{ name: "document_version_number_key", columns: ["applicationId", "documentId", "versionNumber"] }],
  checks: [
    { name: "document_version_number_check", expression: "version_number >= 1" },
    {
      name: "document_version_status_check",
      expression: "status IN ('DRAFT', 'REVIEW', 'APPROVED', 'ARCHIVED', 'ACTIVE')",
    },
  ],
  foreignKeys: [
    {
      name: "document_version_document_fkey",
      target: "Document",
      columnNames: ["applicationId", "documentId"],
      referencedColumnNames: ["applicationId", "id"],
      onDelete: "CASCADE",
    },
  ],
});
