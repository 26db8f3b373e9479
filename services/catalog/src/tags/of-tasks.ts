import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { TagRow } from "./entity.ts";

type CoreTagRow = Pick<TagRow, "id" | "color" | "name">;

const tags = `SELECT task_tag.task_id AS "taskId", tag.id, tag.color, tag.name FROM catalog.task_tag
  JOIN catalog.tag ON tag.application_id = task_tag.application_id AND tag.id = task_tag.tag_id
  WHERE task_tag.application_id = $1 AND task_tag.task_id = ANY ($2::uuid[]) ORDER BY tag.name, tag.id`;

/** Tasks' tags by task id, by name. A task without any is not in the map. */
export async function tagsOfTasks(
  database: Database,
  call: Call,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, CoreTagRow[]>> {
  if (taskIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, taskIds];
  const rows = await database.read<CoreTagRow & { taskId: string }>(call, {
    name: "tags-of-tasks",
    text: tags,
    values,
  });
  return Map.groupBy(rows, ({ taskId }) => taskId);
}
