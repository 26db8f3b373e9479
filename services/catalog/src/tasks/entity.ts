import type { JsonObject } from "@bufbuild/protobuf";
import {
  boolean,
  foreignKey,
  jsonb,
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
import type { StoredExample } from "./stored-example.ts";

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
    prompts: withDefault(texts, []),
    metadata: withDefault(jsonb<JsonObject>(), {}),
    simulatedPromptSchema: nullable(jsonb<JsonObject>()),
    /** The prompts with their expectations and metadata; null if none has any. Read them by `listExamples`. */
    examples: nullable(jsonb<readonly StoredExample[]>()),
    /** The DEDUCED task that a draft was made from; null for other tasks. */
    parentId: nullable(uuid),
    /** Trace that the task was made from, or in which it was found. */
    traceId: nullable(uuid),
    quickstartId: nullable(uuid),
    /** Topic or application whose live traffic a DEDUCED task represents; null for other tasks. */
    deducedFor: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "task_topic", columns: ["applicationId", "topicId"] },
      { name: "task_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "task_trace",
        columns: ["applicationId", "traceId", "createdAt", "id"],
        where: "(trace_id IS NOT NULL)",
      },
    ],
    uniques: [{ name: "task_deduced_for_key", columns: ["applicationId", "deducedFor"] }],
    foreignKeys: [
      foreignKey("task_topic_fkey", ["applicationId", "topicId"], "topic"),
      foreignKey("task_parent_fkey", ["applicationId", "parentId"], "task"),
      foreignKey("task_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart"),
    ],
  },
);

/** Identity of an imported row, and the state that its last import gave its task. */
export const ImportedTaskEntity = table(
  "catalog.imported_task",
  {
    applicationId: uuid,
    /** Name of the set of rows. */
    source: text,
    externalId: text,
    taskId: uuid,
    contentHash: text,
    /** `modifiedAt` of the task after its last import; a later one means that it was edited here. */
    importedAt: timestamp,
  },
  {
    primaryKey: ["applicationId", "source", "externalId"],
    indices: [{ name: "imported_task_task", columns: ["applicationId", "taskId"] }],
    foreignKeys: [foreignKey("imported_task_task_fkey", ["applicationId", "taskId"], "task")],
  },
);

export const taskVersions = rowVersions(TaskEntity);
