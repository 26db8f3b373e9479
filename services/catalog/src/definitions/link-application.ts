import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { changesAny } from "./links.ts";

type Handler = Handlers<typeof DefinitionService>["linkApplication"];

const insertion = `INSERT INTO catalog.eval_definition_application (application_id, definition_id)
  SELECT $1::uuid, definition_id FROM unnest($2::uuid[]) AS named (definition_id)
  ORDER BY definition_id -- two calls lock in the same order
  ON CONFLICT DO NOTHING`;

/** Links definitions to the caller's application; tells of it when any was not linked yet. */
export function linkApplication({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { definition: evalIds });
      if (await changesAny(tx, insertion, [applicationId, evalIds])) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, application: true } });
      }
      return {};
    });
}
