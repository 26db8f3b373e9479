import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity } from "./entity.ts";
import { application } from "./messages.ts";

const applicationById = rowById(ApplicationEntity, "Application");

/** Returns any application of the caller's organization. */
export function getApplication({ database }: Deps): Handlers<typeof ApplicationService>["getApplication"] {
  return async ({ id }, call) => ({ data: application(await applicationById.read(database, call, id)) });
}
