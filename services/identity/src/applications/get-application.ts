import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity } from "./entity.ts";
import { application } from "./messages.ts";

/** Any application of the caller's organisation. */
export function getApplication({ database }: Deps): Handlers<typeof ApplicationService>["getApplication"] {
  return async ({ id }, call) => {
    const { orgId } = call.tenant;
    const row = await database.withTenant(call, (tx) => tx.findOne(ApplicationEntity, { orgId, id }));
    if (row === null) throw notFound("Application");
    return { data: application(row) };
  };
}
