import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { insertLinks } from "./links.ts";

/** Idempotent: the event is published when any definition was not linked yet. */
export function linkApplication({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkApplication"] {
  return ({ evalIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds });
      if (await insertLinks(tx, "application", applicationId, evalIds)) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, application: true } });
      }
      return {};
    });
}
