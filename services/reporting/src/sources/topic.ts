import { boolean, created, double, identified, integer, modified, text } from "./columns.ts";
import type { Source } from "./source.ts";

export const topic: Source = {
  id: "topic",
  from: "reporting.topic_v1 s",
  columns: [
    ...identified("Topic"),
    text("title", "Title"),
    text("status", "Status", { values: ["DRAFT", "ACTIVE", "ARCHIVED"] }),
    double("baseline", "Baseline", { isNullable: true }),
    boolean("isInScope", "In Scope"),
    boolean("isTasksVerified", "Tasks Verified"),
    boolean("isDocumentsVerified", "Documents Verified"),
    boolean("isKnowledgeBaseVerified", "Knowledge Base Verified"),
    boolean("isPoliciesVerified", "Policies Verified"),
    text("assignedTo", "Assigned To", { isNullable: true }),
    integer("taskCount", "Task Count"),
    integer("documentCount", "Document Count"),
    created,
    modified,
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};
