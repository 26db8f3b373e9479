import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import { rowById } from "@ems/kit/db/row-by-id";
import type { Call } from "@ems/kit/rpc/call";
import { linkedApplication, linksOfTasks } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import type { TaskDefinitions, TaskReadRow } from "./messages.ts";

/** Selects the columns of TaskReadRow, for `catalog.task task`. */
export const taskColumns = `${buildSelectList(TaskEntity, "task")},
  (SELECT stat.last_test_at FROM reporting.task_stat_v1 stat
   WHERE stat.application_id = task.application_id AND stat.task_id = task.id) AS "lastTest",
  (SELECT json_build_object('cron', s.cron, 'timezone', s.timezone, 'criticality', s.criticality,
     'lastRunAt', s.last_run_at, 'nextRunAt', s.next_run_at) FROM catalog.task_schedule_v1 s
   WHERE s.application_id = task.application_id AND s.task_id = task.id) AS schedule`;

export const taskById = rowById<TaskRow, TaskReadRow>(TaskEntity, "Task", { columns: taskColumns });

/** Loads the definitions of each task. */
export async function definitionsOfTasks(
  { database, applications }: Pick<Deps, "database" | "applications">,
  call: Call,
  taskIds: readonly string[],
): Promise<(taskId: string) => TaskDefinitions> {
  const links = await linksOfTasks(database, call, taskIds);
  const definitions = [...links.values()].flat().map(({ definition }) => definition);
  const application = await linkedApplication(applications, call, definitions);
  return (taskId) => ({ links: links.get(taskId) ?? [], application });
}

const idsOfTopic = "SELECT id FROM catalog.task WHERE application_id = $1 AND topic_id = $2 AND status <> 'ARCHIVED'";

/** Returns the ids of those tasks of a topic that are not archived. */
export async function taskIdsOfTopic(database: Database, call: Call, topicId: string): Promise<string[]> {
  const values = [call.tenant.applicationId, topicId];
  const rows = await database.read<{ id: string }>(call, { name: "task-ids-of-topic", text: idsOfTopic, values });
  return rows.map(({ id }) => id);
}
