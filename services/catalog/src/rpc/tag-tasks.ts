import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { requireTasksAndTags } from "../require.ts";

type Handler = Handlers<typeof TagService>["tagTasks"];

// In the order of the key: two calls that share pairs wait for each other instead of getting stuck.
const addTags = `WITH added AS (
    INSERT INTO catalog.task_tag (application_id, task_id, tag_id)
    SELECT $1::uuid, task_id, tag_id
    FROM unnest($2::uuid[]) AS tasks (task_id) CROSS JOIN unnest($3::uuid[]) AS tags (tag_id)
    ORDER BY task_id, tag_id
    ON CONFLICT DO NOTHING
    RETURNING task_id
  ) SELECT count(*)::int AS count FROM added`;

/** Gives each of the tags to each of the tasks; told once for the call, if any task got a tag that it had not. */
export function tagTasks({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return (request, call) =>
    database.change(call, async (manager) => {
      const { applicationId } = call.tenant;
      const [taskIds, tagIds] = [distinctIds(request.taskIds), distinctIds(request.tagIds)];
      await requireTasksAndTags(manager, applicationId, { taskIds, tagIds });
      const [added] = await manager.query<{ count: number }[]>(addTags, [applicationId, taskIds, tagIds]);
      if (added?.count === 0) return {};
      await publish(manager, call.tenant, { case: "taskTagged", value: { taskIds, tagIds } });
      return {};
    });
}
