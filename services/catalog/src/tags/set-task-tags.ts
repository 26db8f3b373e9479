import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { type TagRow, TaskTagEntity } from "./entity.ts";
import { linkedTags, tagsOfTask, taskTagVersions } from "./list-task-tags.ts";
import { tag } from "./messages.ts";
import { lockTasks } from "./tag-tasks.ts";

const removeOthers = `DELETE FROM catalog.task_tag
  WHERE application_id = $1 AND task_id = $2 AND tag_id <> ALL ($3::uuid[])`;

/** Replaces a task's tags. Idempotent: publishes the event only if the task gets a new tag. */
export function setTaskTags({ database, publish }: Deps): Handlers<typeof TagService>["setTaskTags"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const [taskId, tagIds] = [request.id, distinctIds(request.tagIds)];
      await assertReferences(tx, applicationId, { task: taskId, tag: tagIds });
      tx.defer(lockTasks, [applicationId, [taskId]]);
      if (call.ifMatch !== undefined)
        taskTagVersions.check(call, linkedTags(taskId, await tx.query<TagRow>(tagsOfTask, [applicationId, taskId])));
      tx.defer(removeOthers, [applicationId, taskId, tagIds]);
      // Sorted: a fixed order of locks prevents deadlocks.
      const pairs = tagIds.toSorted().map((tagId) => ({ applicationId, taskId, tagId }));
      const [added, tags] = await Promise.all([
        tx.insertReturning(TaskTagEntity, pairs, ["tagId"], "ignore"),
        tx.query<TagRow>(tagsOfTask, [applicationId, taskId]),
      ]);
      if (added.length > 0) {
        const value = { taskIds: [taskId], tagIds: added.map(({ tagId }) => tagId) };
        await publish(tx, call.tenant, { case: "taskTagged", value });
      }
      taskTagVersions.answer(call, linkedTags(taskId, tags));
      return { data: tags.map(tag) };
    });
}
