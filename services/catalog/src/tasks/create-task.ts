import { enumName } from "@ems/kit/enum";
import { assertResourceFits } from "@ems/kit/events/publish";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  TaskSchema,
  type TaskService,
  TaskStatus,
  TaskStatusSchema,
  TaskType,
  TaskTypeSchema,
} from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

export function createTask({ database, ...deps }: Deps): Handlers<typeof TaskService>["createTask"] {
  return async (request, call) => {
    const { title, description, topicId, type = TaskType.NORMAL, status = TaskStatus.ACTIVE, prompts } = request;
    const row: TaskRow = {
      ...newResource(deps, call),
      topicId: topicId?.toLowerCase() ?? null,
      title,
      description,
      type: enumName(TaskTypeSchema, type),
      status: enumName(TaskStatusSchema, status),
      isVerified: false,
      prompts,
    };
    const message = task(row);
    assertResourceFits(TaskSchema, message);
    const change = database.change(call, async (tx) => {
      await tx.insert(TaskEntity, row);
      return { task: message };
    });
    return change.catch(rethrowMissingReference);
  };
}
