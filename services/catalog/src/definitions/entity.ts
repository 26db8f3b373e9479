import { foreignKey, nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type EvalDefinitionRow = Row<typeof EvalDefinitionEntity>;

export const EvalDefinitionEntity = table(
  "catalog.eval_definition",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    type: oneOf("NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"),
    name: text,
    criterion: nullable(text),
    styleGuideId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    checks: [{ name: "eval_definition_style_check", expression: "(type = 'STYLE') = (style_guide_id IS NOT NULL)" }],
    indices: [
      { name: "eval_definition_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "eval_definition_style_guide", columns: ["applicationId", "styleGuideId"] },
    ],
    foreignKeys: [foreignKey("eval_definition_style_guide_fkey", ["applicationId", "styleGuideId"], "style_guide")],
  },
);

/** Definitions linked to the application that they belong to. */
export const ApplicationLinkEntity = table(
  "catalog.eval_definition_application",
  { applicationId: uuid, definitionId: uuid },
  {
    primaryKey: ["applicationId", "definitionId"],
    foreignKeys: [definitionKey("eval_definition_application")],
  },
);

export type TopicLinkRow = Row<typeof TopicLinkEntity>;

export const TopicLinkEntity = table(
  "catalog.eval_definition_topic",
  { applicationId: uuid, definitionId: uuid, topicId: uuid, expected: nullable(text) },
  {
    primaryKey: ["applicationId", "definitionId", "topicId"],
    indices: [{ name: "eval_definition_topic_topic", columns: ["applicationId", "topicId"] }],
    foreignKeys: [
      definitionKey("eval_definition_topic"),
      foreignKey("eval_definition_topic_topic_fkey", ["applicationId", "topicId"], "topic"),
    ],
  },
);

export const TaskLinkEntity = table(
  "catalog.eval_definition_task",
  { applicationId: uuid, definitionId: uuid, taskId: uuid },
  {
    primaryKey: ["applicationId", "definitionId", "taskId"],
    indices: [{ name: "eval_definition_task_task", columns: ["applicationId", "taskId"] }],
    foreignKeys: [
      definitionKey("eval_definition_task"),
      foreignKey("eval_definition_task_task_fkey", ["applicationId", "taskId"], "task"),
    ],
  },
);

function definitionKey(tableName: string) {
  return foreignKey(`${tableName}_definition_fkey`, ["applicationId", "definitionId"], "eval_definition");
}
