import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { task } from "./messages.ts";

const taskById = rowById(TaskEntity, "Task");

export function getTask({ database }: Deps): Handlers<typeof TaskService>["getTask"] {
  return async ({ id }, call) => ({ task: task(await taskById.read(database, call, id)) });
}
