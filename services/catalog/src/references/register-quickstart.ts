import type { Handlers } from "@ems/kit/rpc/service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";
import { QuickstartEntity } from "./entity.ts";

type Handler = Handlers<typeof ReferenceService>["registerQuickstart"];

/** Remembers a quickstart of the caller's application, once. */
export function registerQuickstart({ database }: Pick<Deps, "database">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await tx.insert(QuickstartEntity, { applicationId, id }, "ignore");
      return {};
    });
}
