import { buildSelectList } from "@ems/kit/db/columns";
import { linkVersions } from "@ems/kit/db/version";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import { listedTagsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { TagEntity, type TagRow } from "./entity.ts";
import { tag } from "./messages.ts";

// All tags fit in one response. Only tasks tagged before the limit existed have more tags than it allows.

const taskExists = "SELECT FROM catalog.task WHERE application_id = $1 AND id = $2";
/** Selects a task's tags as TagRow, ordered by name. */
export const tagsOfTask = `SELECT ${buildSelectList(TagEntity, "tag")} FROM catalog.task_tag
  JOIN catalog.tag ON tag.application_id = task_tag.application_id AND tag.id = task_tag.tag_id
  WHERE task_tag.application_id = $1 AND task_tag.task_id = $2 ORDER BY tag.name, tag.id LIMIT ${listedTagsMax}`;

/** Computes the ETag of a task's tags. */
export const taskTagVersions = linkVersions("task_tag");
export const linkedTags = (ownerId: string, tags: readonly TagRow[]) => ({ ownerId, ids: tags.map(({ id }) => id) });

export function listTaskTags({ database }: Deps): Handlers<typeof TagService>["listTaskTags"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [tasks, tags] = await database.readAll(call, [
      { name: "task-exists", text: taskExists, values },
      { name: "tags-of-task", text: tagsOfTask, values },
    ]);
    if (tasks?.length === 0) throw notFound("Task");
    const rows = tags as TagRow[];
    taskTagVersions.answer(call, linkedTags(id, rows));
    return { data: rows.map(tag) };
  };
}
