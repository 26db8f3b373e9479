import { conflict } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";

type Handler = Handlers<typeof TagService>["tagTasks"];

/** The most tags of a task: all of them are in one answer. */
const tagsMax = 100;

// Held until the transaction ends, in the order of the key: who tags the same tasks waits, so that counts are true.
const holdTasks = `SELECT FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id FOR NO KEY UPDATE`;
const countTags = `SELECT max(count)::int AS count FROM (
    SELECT count(*) FROM catalog.task_tag WHERE application_id = $1 AND task_id = ANY ($2::uuid[]) GROUP BY task_id
  ) AS counted`;

// In the order of the key: two calls that share pairs wait for each other instead of getting stuck.
const addTags = `WITH added AS (
    INSERT INTO catalog.task_tag (application_id, task_id, tag_id)
    SELECT $1::uuid, task_id, tag_id
    FROM unnest($2::uuid[]) AS tasks (task_id) CROSS JOIN unnest($3::uuid[]) AS tags (tag_id)
    ORDER BY task_id, tag_id
    ON CONFLICT DO NOTHING
    RETURNING task_id
  ) SELECT DISTINCT task_id AS "taskId" FROM added`;

/** Gives each of the tags to each of the tasks; told once for the call, if any task got a tag that it had not. */
export function tagTasks({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const [taskIds, tagIds] = [distinctIds(request.taskIds), distinctIds(request.tagIds)];
      await requireReferences(tx, applicationId, { task: taskIds, tag: tagIds });
      await tx.query(holdTasks, [applicationId, taskIds]);
      const added = await tx.query<{ taskId: string }>(addTags, [applicationId, taskIds, tagIds]);
      if (added.length === 0) return {};
      const changed = added.map(({ taskId }) => taskId);
      const [most] = await tx.query<{ count: number }>(countTags, [applicationId, changed]);
      if (most !== undefined && most.count > tagsMax) throw conflict(`A task has at most ${tagsMax} tags`);
      await publish(tx, call.tenant, { case: "taskTagged", value: { taskIds, tagIds } });
      return {};
    });
}
