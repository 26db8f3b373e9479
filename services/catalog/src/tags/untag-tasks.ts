import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TaskTagEntity } from "./entity.ts";

/** Removes tags from tasks. Idempotent. */
export function untagTasks({ database }: Deps): Handlers<typeof TagService>["untagTasks"] {
  return ({ taskIds, tagIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { task: taskIds, tag: tagIds });
      tx.deferDelete(TaskTagEntity, { applicationId, taskId: In(taskIds), tagId: In(tagIds) });
      return {};
    });
}
