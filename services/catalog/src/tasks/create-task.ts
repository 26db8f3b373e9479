import { enumName } from "@ems/kit/enum";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type CreateTaskRequest,
  type TaskService,
  TaskStatus,
  TaskStatusSchema,
  TaskType,
  TaskTypeSchema,
} from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { taskMetrics } from "../metrics/index.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { TaskEntity, type TaskRow, taskVersions } from "./entity.ts";
import { assertTaskFits, task } from "./messages.ts";

export function createTask({ database, ...deps }: Deps): Handlers<typeof TaskService>["createTask"] {
  return async (request, call) => {
    const row = newTask(deps, call, request);
    const newRow = { ...row, lastTest: null, schedule: null };
    assertTaskFits(newRow);
    const message = task(newRow, { links: [], application: undefined }, taskMetrics());
    const change = database.change(call, async (tx) => {
      await tx.insert(TaskEntity, row);
      taskVersions.answer(call, row);
      return { task: message };
    });
    return change.catch(rethrowMissingReference);
  };
}

export function newTask(deps: Pick<Deps, "clock" | "newId">, call: Call, request: CreateTaskRequest): TaskRow {
  const { title, description, type = TaskType.NORMAL, status = TaskStatus.ACTIVE, prompts, inputExamples } = request;
  return {
    ...newResource(deps, call),
    topicId: request.topicId?.toLowerCase() ?? null,
    title,
    description,
    type: enumName(TaskTypeSchema, type),
    status: enumName(TaskStatusSchema, status),
    isVerified: false,
    prompts: inputExamples.length > 0 ? inputExamples : prompts,
    metadata: request.metadata ?? {},
    simulatedPromptSchema: request.simulatedPromptSchema ?? null,
    parentId: null,
    traceId: null,
    quickstartId: request.quickstartId?.toLowerCase() ?? null,
    deducedFor: null,
  };
}
