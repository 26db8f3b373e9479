import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";

type Handler = Handlers<typeof TagService>["untagTasks"];

const removeTags =
  "DELETE FROM catalog.task_tag WHERE application_id = $1 AND task_id = ANY ($2::uuid[]) AND tag_id = ANY ($3::uuid[])";

/** Takes each of the tags from each of the tasks. */
export function untagTasks({ database }: Pick<Deps, "database">): Handler {
  return ({ taskIds, tagIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { task: taskIds, tag: tagIds });
      await tx.query(removeTags, [applicationId, taskIds, tagIds]);
      return {};
    });
}
