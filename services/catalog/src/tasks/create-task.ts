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
import { requireReferences } from "../references/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

type Handler = Handlers<typeof TaskService>["createTask"];

/** A new task of the caller's application, not verified yet. */
export function createTask({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async (request, call) => {
    const { title, description, topicId, type = TaskType.NORMAL, status = TaskStatus.ACTIVE, prompts } = request;
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: TaskRow = {
      applicationId,
      id: newId(),
      orgId,
      topicId: topicId?.toLowerCase() ?? null,
      title,
      description,
      type: enumName(TaskTypeSchema, type),
      status: enumName(TaskStatusSchema, status),
      isVerified: false,
      prompts,
      createdAt: now,
      modifiedAt: now,
    };
    const made = task(row);
    assertResourceFits(TaskSchema, made);
    return database.change(call, async (tx) => {
      await requireReferences(tx, applicationId, { topic: row.topicId });
      await tx.insert(TaskEntity, row);
      return { task: made };
    });
  };
}
