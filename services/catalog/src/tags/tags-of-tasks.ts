import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { TagRow } from "./entity.ts";

type CoreTagRow = Pick<TagRow, "id" | "color" | "name">;

const pairs = `SELECT task_id AS "taskId", tag_id AS "tagId" FROM catalog.task_tag
  WHERE application_id = $1 AND task_id = ANY ($2::uuid[])`;
/** Selects each tag once, even if several of the tasks have it. */
const tags = `SELECT tag.id, tag.color, tag.name FROM catalog.tag
  WHERE tag.application_id = $1 AND tag.id IN (SELECT task_tag.tag_id FROM catalog.task_tag
    WHERE task_tag.application_id = $1 AND task_tag.task_id = ANY ($2::uuid[])) ORDER BY tag.name, tag.id`;

/** Returns the tags by task id, ordered by name. Omits tasks without tags. */
export async function tagsOfTasks(
  database: Database,
  call: Call,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, CoreTagRow[]>> {
  if (taskIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, taskIds];
  const [found, sorted] = await database.readAll(call, [
    { name: "task-tag-pairs", text: pairs, values },
    { name: "tags-of-tasks", text: tags, values },
  ]);
  const tasksByTag = Map.groupBy(found as { taskId: string; tagId: string }[], ({ tagId }) => tagId);
  const byTask = new Map<string, CoreTagRow[]>();
  for (const tag of sorted as CoreTagRow[]) {
    for (const { taskId } of tasksByTag.get(tag.id) ?? []) {
      const ofTask = byTask.get(taskId);
      if (ofTask === undefined) byTask.set(taskId, [tag]);
      else ofTask.push(tag);
    }
  }
  return byTask;
}
