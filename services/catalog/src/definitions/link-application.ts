import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { ApplicationLinkEntity } from "./entity.ts";

/** Links definitions to their application. Idempotent: publishes the event only if a definition was not linked yet. */
export function linkApplication({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkApplication"] {
  return ({ evalIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds });
      // Sorted: a fixed order of locks prevents deadlocks.
      const links = distinctIds(evalIds)
        .sort()
        .map((definitionId) => ({ applicationId, definitionId }));
      const linked = await tx.insertReturning(ApplicationLinkEntity, links, ["definitionId"], "ignore");
      if (linked.length > 0) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, application: true } });
      }
      return {};
    });
}
