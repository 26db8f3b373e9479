// What evaluation definitions are linked to. A definition belongs to one application, so a link to the application is a row
// that names the definition only.

import { EntitySchema } from "typeorm";

interface ApplicationLinkRow {
  applicationId: string;
  definitionId: string;
}

interface TopicLinkRow extends ApplicationLinkRow {
  topicId: string;
  expected: string | null;
}

interface TaskLinkRow extends ApplicationLinkRow {
  taskId: string;
}

const key = (table: string) => ({ primary: true, primaryKeyConstraintName: `${table}_pkey` }) as const;

const foreignKey = (table: string, what: "definition" | "topic" | "task", target: string) => ({
  name: `${table}_${what}_fkey`,
  target,
  columnNames: ["applicationId", `${what}Id`],
  referencedColumnNames: ["applicationId", "id"],
});

export const ApplicationLinkEntity = new EntitySchema<ApplicationLinkRow>({
  name: "EvalDefinitionApplication",
  tableName: "eval_definition_application",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key("eval_definition_application") },
    definitionId: { type: "uuid", name: "definition_id", ...key("eval_definition_application") },
  },
  foreignKeys: [foreignKey("eval_definition_application", "definition", "EvalDefinition")],
});

export const TopicLinkEntity = new EntitySchema<TopicLinkRow>({
  name: "EvalDefinitionTopic",
  tableName: "eval_definition_topic",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key("eval_definition_topic") },
    definitionId: { type: "uuid", name: "definition_id", ...key("eval_definition_topic") },
    topicId: { type: "uuid", name: "topic_id", ...key("eval_definition_topic") },
    expected: { type: "text", nullable: true },
  },
  indices: [{ name: "eval_definition_topic_topic", columns: ["applicationId", "topicId"] }],
  foreignKeys: [
    foreignKey("eval_definition_topic", "definition", "EvalDefinition"),
    foreignKey("eval_definition_topic", "topic", "Topic"),
  ],
});

export const TaskLinkEntity = new EntitySchema<TaskLinkRow>({
  name: "EvalDefinitionTask",
  tableName: "eval_definition_task",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key("eval_definition_task") },
    definitionId: { type: "uuid", name: "definition_id", ...key("eval_definition_task") },
    taskId: { type: "uuid", name: "task_id", ...key("eval_definition_task") },
  },
  indices: [{ name: "eval_definition_task_task", columns: ["applicationId", "taskId"] }],
  foreignKeys: [
    foreignKey("eval_definition_task", "definition", "EvalDefinition"),
    foreignKey("eval_definition_task", "task", "Task"),
  ],
});
