import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { changesAny } from "./links.ts";

type Handler = Handlers<typeof DefinitionService>["linkTasks"];

const insertion = `INSERT INTO catalog.eval_definition_task (application_id, definition_id, task_id)
  SELECT $1::uuid, definition_id, task_id
  FROM unnest($2::uuid[]) AS named (definition_id), unnest($3::uuid[]) AS meant (task_id)
  ORDER BY definition_id, task_id -- two calls lock in the same order
  ON CONFLICT DO NOTHING`;

/** Links definitions to tasks; tells of it when any was not linked yet. */
export function linkTasks({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds, taskIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { definition: evalIds, task: taskIds });
      if (await changesAny(tx, insertion, [applicationId, evalIds, taskIds])) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, taskIds } });
      }
      return {};
    });
}
