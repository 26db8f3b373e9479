import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import type { TaskRow } from "./entity.ts";
import { task } from "./messages.ts";
import { taskColumns } from "./queries.ts";

type Handler = Handlers<typeof TaskService>["getTask"];

const oneTask = `SELECT ${taskColumns} FROM catalog.task t WHERE t.application_id = $1 AND t.id = $2`;

/** One task of the caller's application. */
export function getTask({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<TaskRow>(call, { name: "get-task", text: oneTask, values });
    if (row === undefined) throw notFound("Task");
    return { task: task(row) };
  };
}
