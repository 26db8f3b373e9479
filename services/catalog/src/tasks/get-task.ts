import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

const text = `SELECT ${columnsOf(TaskEntity, "task")} FROM catalog.task WHERE application_id = $1 AND id = $2`;

export function getTask({ database }: Deps): Handlers<typeof TaskService>["getTask"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<TaskRow>(call, { name: "get-task", text, values });
    if (row === undefined) throw notFound("Task");
    return { task: task(row) };
  };
}
