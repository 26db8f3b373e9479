import { EntitySchema } from "typeorm";

export interface DocumentRow {
  applicationId: string;
  id: string;
  orgId: string;
  topicId: string | null;
  assignee: string | null;
  scrapeJobId: string | null;
  /** The number of the one version that is in force. */
  activeVersion: number;
  createdAt: Date;
  modifiedAt: Date;
}

export const DocumentEntity = new EntitySchema<DocumentRow>({
  name: "Document",
  tableName: "document",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "document_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "document_pkey" },
    orgId: { type: "text", name: "org_id" },
    topicId: { type: "uuid", name: "topic_id", nullable: true },
    assignee: { type: "text", nullable: true },
    scrapeJobId: { type: "text", name: "scrape_job_id", nullable: true },
    activeVersion: { type: "integer", name: "active_version" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  indices: [
    { name: "document_created", columns: ["applicationId", "createdAt", "id"] },
    { name: "document_topic", columns: ["applicationId", "topicId"] },
  ],
  foreignKeys: [
    {
      name: "document_topic_fkey",
      target: "Topic",
      columnNames: ["applicationId", "topicId"],
      referencedColumnNames: ["applicationId", "id"],
    },
    {
      name: "document_active_version_fkey",
      target: "DocumentVersion",
      columnNames: ["applicationId", "id", "activeVersion"],
      referencedColumnNames: ["applicationId", "documentId", "versionNumber"],
      deferrable: "INITIALLY DEFERRED",
    },
  ],
});
