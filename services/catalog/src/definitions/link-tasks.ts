import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TaskLinkEntity } from "./entity.ts";
import { pairsOf } from "./links.ts";

/** Idempotent: the event is published when any link is new. */
export function linkTasks({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkTasks"] {
  return ({ evalIds, taskIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds, task: taskIds });
      const links = pairsOf(evalIds, taskIds).map(({ definitionId, id }) => ({
        applicationId,
        definitionId,
        taskId: id,
      }));
      const linked = await tx.insertReturning(TaskLinkEntity, links, ["taskId"], "ignore");
      if (linked.length > 0) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, taskIds } });
      }
      return {};
    });
}
