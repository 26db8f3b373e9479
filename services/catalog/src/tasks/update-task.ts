import { enumName } from "@ems/kit/enum";
import { invalidField, notFound } from "@ems/kit/errors";
import { assertResourceFits } from "@ems/kit/events/publish";
import { given, textOrNull } from "@ems/kit/given";
import type { Handlers } from "@ems/kit/rpc/service";
import { TaskSchema, type TaskService, TaskStatusSchema } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

type Handler = Handlers<typeof TaskService>["updateTask"];
type Changed = Pick<TaskRow, "title" | "description" | "topicId" | "status" | "isVerified" | "prompts">;

/** Changes what the request gives of a task. */
export function updateTask({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ id, title, description, topicId, status, isVerified, prompts }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const which = { applicationId, id };
      const found = await tx.findOne(TaskEntity, which, { lock: "UPDATE" });
      if (found === null) throw notFound("Task");
      if (prompts.length > 0 && found.type !== "STATIC") {
        throw invalidField(["prompts"], "Only a STATIC task has prompts");
      }
      const topic = textOrNull(topicId);
      const change = given<Changed>({
        title,
        description,
        topicId: topic?.toLowerCase() ?? topic,
        status: enumName(TaskStatusSchema, status),
        isVerified,
        prompts: prompts.length > 0 ? prompts : undefined,
      });
      if (Object.keys(change).length === 0) return { task: task(found) };
      await requireReferences(tx, applicationId, { topic: change.topicId });

      const modifiedAt = clock.now();
      const changed = task({ ...found, ...change, modifiedAt });
      assertResourceFits(TaskSchema, changed);
      await tx.update(TaskEntity, which, { ...change, modifiedAt });
      return { task: changed };
    });
}
