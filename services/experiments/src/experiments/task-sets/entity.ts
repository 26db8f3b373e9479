import type { JsonObject } from "@bufbuild/protobuf";
import { integer, json, type Row, table, uuid } from "@ems/kit/db/table";

export type TaskSetTaskRow = Row<typeof TaskSetTaskEntity>;

/** A task of a frozen set: catalog's TestPlan as JSON. Immutable. */
export const TaskSetTaskEntity = table(
  "experiments.task_set_task",
  {
    applicationId: uuid,
    taskSetId: uuid,
    position: integer,
    taskId: uuid,
    plan: json<JsonObject>(),
  },
  {
    primaryKey: ["applicationId", "taskSetId", "position"],
    indices: [{ name: "task_set_task_task", columns: ["applicationId", "taskSetId", "taskId"] }],
  },
);

/** A definition that judges tasks of a frozen set: catalog's JudgeDefinition as JSON, stored once per set. */
export const TaskSetDefinitionEntity = table(
  "experiments.task_set_definition",
  {
    applicationId: uuid,
    taskSetId: uuid,
    definitionId: uuid,
    definition: json<JsonObject>(),
  },
  { primaryKey: ["applicationId", "taskSetId", "definitionId"] },
);
