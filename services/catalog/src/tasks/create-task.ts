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
import { assertExamples, type ExampleColumns, exampleColumns, promptColumns } from "./examples.ts";
import { assertTaskFits, task } from "./messages.ts";

export function createTask({ database, ...deps }: Deps): Handlers<typeof TaskService>["createTask"] {
  return async (request, call) => {
    assertExamples(request.examples);
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
  const { title, description, type = TaskType.NORMAL, status = TaskStatus.ACTIVE } = request;
  return {
    ...newResource(deps, call),
    topicId: request.topicId?.toLowerCase() ?? null,
    title,
    description,
    type: enumName(TaskTypeSchema, type),
    status: enumName(TaskStatusSchema, status),
    isVerified: false,
    ...newExamples(request),
    metadata: request.metadata ?? {},
    simulatedPromptSchema: request.simulatedPromptSchema ?? null,
    parentId: null,
    traceId: null,
    quickstartId: request.quickstartId?.toLowerCase() ?? null,
    deducedFor: null,
  };
}

function newExamples({ examples, inputExamples, prompts }: CreateTaskRequest): ExampleColumns {
  if (examples.length > 0) return exampleColumns(examples);
  return promptColumns(inputExamples.length > 0 ? inputExamples : prompts, null);
}
