import { limitReached } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import { taskTagsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";

// The number of tags per task is limited, because `GET …/tags` returns all of them on one page.

// Row locks keep the counts valid until commit; locking in id order prevents deadlocks.
export const lockTasks = `SELECT FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id FOR NO KEY UPDATE`;
const countTags = `SELECT max(count)::int AS max FROM (
    SELECT count(*) FROM catalog.task_tag WHERE application_id = $1 AND task_id = ANY ($2::uuid[]) GROUP BY task_id
  ) AS counts`;
const insertPairs = `WITH inserted AS (
    INSERT INTO catalog.task_tag (application_id, task_id, tag_id)
    SELECT $1::uuid, task_id, tag_id
    FROM unnest($2::uuid[]) AS tasks (task_id) CROSS JOIN unnest($3::uuid[]) AS tags (tag_id)
    ORDER BY task_id, tag_id -- prevents deadlocks
    ON CONFLICT DO NOTHING
    RETURNING task_id
  ) SELECT DISTINCT task_id AS "taskId" FROM inserted`;

/** Adds tags to tasks. Idempotent: publishes one event, but none if every task already had all of the tags. */
export function tagTasks({ database, publish }: Deps): Handlers<typeof TagService>["tagTasks"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const [taskIds, tagIds] = [distinctIds(request.taskIds), distinctIds(request.tagIds)];
      await assertReferences(tx, applicationId, { task: taskIds, tag: tagIds });
      tx.defer(lockTasks, [applicationId, taskIds]);
      const tagged = await tx.query<{ taskId: string }>(insertPairs, [applicationId, taskIds, tagIds]);
      if (tagged.length === 0) return {};
      const [tags] = await tx.query<{ max: number }>(countTags, [applicationId, tagged.map(({ taskId }) => taskId)]);
      if (tags !== undefined && tags.max > taskTagsMax)
        throw limitReached(`A task has at most ${taskTagsMax} tags`, taskTagsMax);
      await publish(tx, call.tenant, { case: "taskTagged", value: { taskIds, tagIds } });
      return {};
    });
}
