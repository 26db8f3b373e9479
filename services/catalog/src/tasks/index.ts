import { type Mount, mount } from "@ems/kit/rpc/service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { archiveTask } from "./archive-task.ts";
import { createTask } from "./create-task.ts";
import { getTask } from "./get-task.ts";
import { importTasks } from "./import-tasks.ts";
import { listTasks } from "./list-tasks.ts";
import { updateTask } from "./update-task.ts";

export { archiveTasksOfTopic } from "./archive-tasks-of-topic.ts";
export { createTracedTask } from "./create-traced-task.ts";
export { ensureDeducedTask } from "./ensure-deduced-task.ts";
export type { TaskRow } from "./entity.ts";
export { eraseTracedTasks } from "./erase-traced-tasks.ts";
export { type ExampleColumns, exampleMessages } from "./examples.ts";
export { definitionsOfTasks, taskIdsOfTopic } from "./queries.ts";

export const tasks = (deps: Deps): Mount =>
  mount(TaskService, {
    listTasks: listTasks(deps),
    createTask: createTask(deps),
    importTasks: importTasks(deps),
    getTask: getTask(deps),
    updateTask: updateTask(deps),
    archiveTask: archiveTask(deps),
  });
