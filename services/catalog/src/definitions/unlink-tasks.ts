import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { changesAny } from "./links.ts";

type Handler = Handlers<typeof DefinitionService>["unlinkTasks"];

const deletion = `DELETE FROM catalog.eval_definition_task
  WHERE application_id = $1 AND definition_id = ANY ($2::uuid[]) AND task_id = ANY ($3::uuid[])`;

/** Unlinks definitions from tasks; tells of it when any was linked. */
export function unlinkTasks({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds, taskIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { definition: evalIds, task: taskIds });
      if (await changesAny(tx, deletion, [applicationId, evalIds, taskIds])) {
        await publish(tx, call.tenant, { case: "definitionUnlinked", value: { evalIds, taskIds } });
      }
      return {};
    });
}
