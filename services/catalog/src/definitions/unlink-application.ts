import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { changesAny } from "./links.ts";

type Handler = Handlers<typeof DefinitionService>["unlinkApplication"];

const deletion = `DELETE FROM catalog.eval_definition_application
  WHERE application_id = $1 AND definition_id = ANY ($2::uuid[])`;

/** Unlinks definitions from the caller's application; tells of it when any was linked. */
export function unlinkApplication({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { definition: evalIds });
      if (await changesAny(tx, deletion, [applicationId, evalIds])) {
        await publish(tx, call.tenant, { case: "definitionUnlinked", value: { evalIds, application: true } });
      }
      return {};
    });
}
