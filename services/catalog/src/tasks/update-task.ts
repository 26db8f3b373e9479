import { enumName } from "@ems/kit/enum";
import { notFound } from "@ems/kit/errors";
import { assertResourceFits } from "@ems/kit/events/publish";
import { definedFields, objectOrNull, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  TaskSchema,
  type TaskService,
  TaskStatusSchema,
  type UpdateTaskRequest,
} from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { deferMove } from "./delete-source-topic.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

export function updateTask({ database, clock }: Deps): Handlers<typeof TaskService>["updateTask"] {
  return (request, call) => {
    const answer = database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id: request.id };
      const row = await tx.findOne(TaskEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Task");
      const change = changesOf(request, row);
      if (Object.keys(change).length === 0) return { task: task(row) };

      const changed = { ...change, modifiedAt: clock.now() };
      const message = task({ ...row, ...changed });
      assertResourceFits(TaskSchema, message);
      const update = () => tx.deferUpdate(TaskEntity, key, changed);
      const [from, to = from] = [row.topicId, change.topicId];
      if (request.deleteEmptySourceTopic && from !== null && from !== to) {
        deferMove(tx, key.applicationId, { from, to }, update);
      } else update();
      return { task: message };
    });
    return answer.catch(rethrowMissingReference);
  };
}

function changesOf(request: UpdateTaskRequest, { type }: TaskRow): Partial<TaskRow> {
  const { title, description, isVerified, inputExamples } = request;
  const topic = textOrNull(request.topicId);
  const metadata = objectOrNull(request.metadata);
  const prompts = inputExamples !== undefined && request.prompts.length === 0 ? inputExamples.values : request.prompts;
  // A STATIC task keeps its prompts: it requires one.
  const clearsPrompts = inputExamples !== undefined && type !== "STATIC";
  return definedFields({
    title,
    description,
    topicId: topic?.toLowerCase() ?? topic,
    status: enumName<TaskRow["status"]>(TaskStatusSchema, request.status),
    isVerified,
    prompts: prompts.length > 0 || clearsPrompts ? prompts : undefined,
    metadata: metadata === null ? {} : metadata,
    simulatedPromptSchema: objectOrNull(request.simulatedPromptSchema),
  });
}
