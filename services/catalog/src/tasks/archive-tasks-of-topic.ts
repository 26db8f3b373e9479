import { columnsOf } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { task } from "./messages.ts";

const archiveTasks = `UPDATE catalog.task SET status = 'ARCHIVED', modified_at = $3
  WHERE application_id = $1 AND topic_id = $2 AND status <> 'ARCHIVED' RETURNING ${columnsOf(TaskEntity, "task")}`;

/** Archives a topic's tasks, each with its event. */
export async function archiveTasksOfTopic(
  { publishAll }: Pick<Deps, "publishAll">,
  tx: Transaction,
  { tenant }: Call,
  topicId: string,
  modifiedAt: Date,
): Promise<void> {
  const rows = await tx.query<TaskRow>(archiveTasks, [tenant.applicationId, topicId, modifiedAt]);
  const events = rows.map((row) => ({ case: "taskArchived", value: task(row) }) as const);
  await publishAll(tx, tenant, events);
}
