import { messageOf } from "@ems/kit/message";
import { TaskSchema } from "@ems/proto/catalog/v1/task_service";
import type { TaskRow } from "./entity.ts";

export const task = (row: TaskRow) => messageOf(TaskSchema, { ...row, inputExamples: row.prompts });
