import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { archivedTask, type TaskDefinitions, type TaskReadRow } from "./messages.ts";
import { taskColumns } from "./queries.ts";

const archiveTasks = `UPDATE catalog.task SET status = 'ARCHIVED', modified_at = $3
  WHERE application_id = $1 AND topic_id = $2 AND status <> 'ARCHIVED' RETURNING ${taskColumns}`;

/** Archives a topic's tasks, with one event each. */
export async function archiveTasksOfTopic(
  { publishAll }: Pick<Deps, "publishAll">,
  tx: Transaction,
  { tenant }: Call,
  topicId: string,
  modifiedAt: Date,
  getDefinitions: (taskId: string) => TaskDefinitions,
): Promise<void> {
  const rows = await tx.query<TaskReadRow>(archiveTasks, [tenant.applicationId, topicId, modifiedAt]);
  const events = rows.map(
    (row) => ({ case: "taskArchived", value: archivedTask(row, getDefinitions(row.id)) }) as const,
  );
  await publishAll(tx, tenant, events);
}
