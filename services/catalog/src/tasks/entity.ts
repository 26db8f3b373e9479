import {
  boolean,
  foreignKey,
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

export type TaskRow = Row<typeof TaskEntity>;

export const TaskEntity = table(
  "catalog.task",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    topicId: nullable(uuid),
    title: text,
    description: text,
    type: oneOf("NORMAL", "STATIC"),
    status: oneOf("DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"),
    isVerified: withDefault(boolean, false),
    /** Of a STATIC task only. */
    prompts: withDefault(texts, []),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    checks: [{ name: "task_prompts_check", expression: "type = 'STATIC' OR cardinality(prompts) = 0" }],
    indices: [
      { name: "task_topic", columns: ["applicationId", "topicId"] },
      { name: "task_created", columns: ["applicationId", "createdAt", "id"] },
    ],
    foreignKeys: [foreignKey("task_topic_fkey", ["applicationId", "topicId"], "topic")],
  },
);
