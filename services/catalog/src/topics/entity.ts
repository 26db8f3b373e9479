import { EntitySchema } from "typeorm";

export interface TopicRow {
  applicationId: string;
  id: string;
  orgId: string;
  title: string;
  baseline: number | null;
  status: "DRAFT" | "ACTIVE" | "ARCHIVED";
  isInScope: boolean;
  isTasksVerified: boolean;
  isDocumentsVerified: boolean;
  isKnowledgeBaseVerified: boolean;
  isPoliciesVerified: boolean;
  assignedTo: string | null;
  quickstartId: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const TopicEntity = new EntitySchema<TopicRow>({
  name: "Topic",
  tableName: "topic",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "topic_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "topic_pkey" },
    orgId: { type: "text", name: "org_id" },
    title: { type: "text" },
    baseline: { type: "double precision", nullable: true },
    status: { type: "text" },
    isInScope: { type: "boolean", name: "is_in_scope", default: true },
    isTasksVerified: { type: "boolean", name: "is_tasks_verified", default: false },
    isDocumentsVerified: { type: "boolean", name: "is_documents_verified", default: false },
    isKnowledgeBaseVerified: { type: "boolean", name: "is_knowledge_base_verified", default: false },
    isPoliciesVerified: { type: "boolean", name: "is_policies_verified", default: false },
    assignedTo: { type: "text", name: "assigned_to", nullable: true },
    quickstartId: { type: "uuid", name: "quickstart_id", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [{ name: "topic_status_check", expression: "status IN ('DRAFT', 'ACTIVE', 'ARCHIVED')" }],
  indices: [{ name: "topic_created", columns: ["applicationId", "createdAt", "id"] }],
  foreignKeys: [
    {
      name: "topic_quickstart_fkey",
      target: "Quickstart",
      columnNames: ["applicationId", "quickstartId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
