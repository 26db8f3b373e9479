import type { JsonObject } from "@bufbuild/protobuf";
import {
  foreignKey,
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  texts,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type EvalDefinitionRow = Row<typeof EvalDefinitionEntity>;

export const EvalDefinitionEntity = table(
  "catalog.eval_definition",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    type: oneOf("NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"),
    name: text,
    /** DRAFT until the quickstart that contains it is published. */
    status: withDefault(oneOf("DRAFT", "ACTIVE"), "ACTIVE"),
    quickstartId: nullable(uuid),
    criterion: nullable(text),
    groundTruth: nullable(text),
    /** Remaining settings, as JSON of GlobalConfig. */
    comparison: nullable(json<JsonObject>()),
    styleGuideId: nullable(uuid),
    /** Incremented by every change that affects judging: of settings, of the style guide, or of its content. */
    version: withDefault(integer, 1),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    checks: [{ name: "eval_definition_style_check", expression: "(type = 'STYLE') = (style_guide_id IS NOT NULL)" }],
    indices: [
      { name: "eval_definition_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "eval_definition_style_guide", columns: ["applicationId", "styleGuideId"] },
      { name: "eval_definition_quickstart", columns: ["applicationId", "quickstartId"] },
    ],
    foreignKeys: [
      foreignKey("eval_definition_style_guide_fkey", ["applicationId", "styleGuideId"], "style_guide"),
      foreignKey("eval_definition_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart"),
    ],
  },
);

export const definitionVersions = rowVersions(EvalDefinitionEntity);

/** Links between definitions and their own application. */
export const ApplicationLinkEntity = table(
  "catalog.eval_definition_application",
  { applicationId: uuid, definitionId: uuid },
  {
    primaryKey: ["applicationId", "definitionId"],
    foreignKeys: [definitionKey("eval_definition_application")],
  },
);

export type TopicLinkRow = Row<typeof TopicLinkEntity>;

/** Expected answer of a link: a text or a list, or null in both columns. */
const expectation = { expected: nullable(text), expectedList: nullable(texts) };

export const TopicLinkEntity = table(
  "catalog.eval_definition_topic",
  { applicationId: uuid, definitionId: uuid, topicId: uuid, ...expectation },
  {
    primaryKey: ["applicationId", "definitionId", "topicId"],
    indices: [{ name: "eval_definition_topic_topic", columns: ["applicationId", "topicId"] }],
    foreignKeys: [
      definitionKey("eval_definition_topic"),
      foreignKey("eval_definition_topic_topic_fkey", ["applicationId", "topicId"], "topic"),
    ],
  },
);

export type TaskLinkRow = Row<typeof TaskLinkEntity>;

export const TaskLinkEntity = table(
  "catalog.eval_definition_task",
  { applicationId: uuid, definitionId: uuid, taskId: uuid, ...expectation },
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
