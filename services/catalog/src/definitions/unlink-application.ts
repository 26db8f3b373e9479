import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { ApplicationLinkEntity } from "./entity.ts";

/** Unlinks definitions from their application. Idempotent: publishes the event only if a definition was linked. */
export function unlinkApplication({
  database,
  publish,
}: Deps): Handlers<typeof DefinitionService>["unlinkApplication"] {
  return ({ evalIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const [deleted] = await Promise.all([
        tx.delete(ApplicationLinkEntity, { applicationId, definitionId: In(evalIds) }),
        assertReferences(tx, applicationId, { definition: evalIds }),
      ]);
      if (deleted > 0) {
        await publish(tx, call.tenant, { case: "definitionUnlinked", value: { evalIds, application: true } });
      }
      return {};
    });
}
