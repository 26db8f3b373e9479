import { enumName } from "@ems/kit/enum";
import { invalidField, notFound } from "@ems/kit/errors";
import { assertResourceFits } from "@ems/kit/events/publish";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { TaskSchema, type TaskService, TaskStatusSchema } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

export function updateTask({ database, clock }: Deps): Handlers<typeof TaskService>["updateTask"] {
  return ({ id, title, description, topicId, status, isVerified, prompts }, call) => {
    const answer = database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(TaskEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Task");
      if (prompts.length > 0 && row.type !== "STATIC") {
        throw invalidField(["prompts"], "Only a STATIC task has prompts");
      }
      const topic = textOrNull(topicId);
      const change = definedFields({
        title,
        description,
        topicId: topic?.toLowerCase() ?? topic,
        status: enumName<TaskRow["status"]>(TaskStatusSchema, status),
        isVerified,
        prompts: prompts.length > 0 ? prompts : undefined,
      });
      if (Object.keys(change).length === 0) return { task: task(row) };

      const changed = { ...change, modifiedAt: clock.now() };
      const message = task({ ...row, ...changed });
      assertResourceFits(TaskSchema, message);
      tx.deferUpdate(TaskEntity, key, changed);
      return { task: message };
    });
    return answer.catch(rethrowMissingReference);
  };
}
