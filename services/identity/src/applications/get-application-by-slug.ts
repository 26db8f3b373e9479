import { buildSelectList } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity, type ApplicationRow } from "./entity.ts";
import { application } from "./messages.ts";

const text = `SELECT ${buildSelectList(ApplicationEntity, "application")} FROM identity.application
  WHERE org_id = $1 AND slug = $2`;

/** Returns any application of the caller's organization. */
export function getApplicationBySlug({ database }: Deps): Handlers<typeof ApplicationService>["getApplicationBySlug"] {
  return async ({ slug }, call) => {
    const values = [call.tenant.orgId, slug];
    const [row] = await database.read<ApplicationRow>(call, { name: "get-application-by-slug", text, values });
    if (row === undefined) throw notFound("Application");
    return { data: application(row) };
  };
}
