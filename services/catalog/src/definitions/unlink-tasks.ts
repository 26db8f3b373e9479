import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TaskLinkEntity } from "./entity.ts";

/** Unlinks definitions from tasks. Idempotent: publishes the event only if a link existed. */
export function unlinkTasks({ database, publish }: Deps): Handlers<typeof DefinitionService>["unlinkTasks"] {
  return ({ evalIds, taskIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const links = { applicationId, definitionId: In(evalIds), taskId: In(taskIds) };
      const [deleted] = await Promise.all([
        tx.delete(TaskLinkEntity, links),
        assertReferences(tx, applicationId, { definition: evalIds, task: taskIds }),
      ]);
      if (deleted > 0) {
        await publish(tx, call.tenant, { case: "definitionUnlinked", value: { evalIds, taskIds } });
      }
      return {};
    });
}
