import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { breakdown, bucketSumsOfTasks, sumsByDefinition, taskMetrics } from "../metrics/index.ts";
import { taskVersions } from "./entity.ts";
import { task } from "./messages.ts";
import { definitionsOfTasks, taskById } from "./queries.ts";

export function getTask(deps: Deps): Handlers<typeof TaskService>["getTask"] {
  const { database } = deps;
  return async ({ id }, call) => {
    const [row, getDefinitions, sums, byDefinition] = await Promise.all([
      taskById.read(database, call, id),
      definitionsOfTasks(deps, call, [id]),
      bucketSumsOfTasks(database, call, [id]),
      sumsByDefinition(database, call, id),
    ]);
    const metrics = { ...taskMetrics(sums.get(id)), breakdown: breakdown(byDefinition) };
    taskVersions.answer(call, row);
    return { task: task(row, getDefinitions(row.id), metrics) };
  };
}
