import type { Handlers } from "@ems/kit/rpc/service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";
import { QuickstartEntity } from "./entity.ts";

/** Registers a quickstart's id. Idempotent. */
export function registerQuickstart({ database }: Deps): Handlers<typeof ReferenceService>["registerQuickstart"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      await tx.insert(QuickstartEntity, { applicationId: call.tenant.applicationId, id }, "ignore");
      return {};
    });
}
