import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import type { ApplicationRow } from "./entity.ts";
import { application } from "./messages.ts";
import { applicationColumns } from "./queries.ts";

type Handler = Handlers<typeof ApplicationService>["getApplicationBySlug"];

/** The application of the caller's organisation that has the slug. */
export function getApplicationBySlug({ database }: Pick<Deps, "database">): Handler {
  return async ({ slug }, call) => {
    const [row] = await database.read<ApplicationRow>(call, {
      name: "get-application-by-slug",
      text: `SELECT ${applicationColumns} FROM identity.application a WHERE a.org_id = $1 AND a.slug = $2`,
      values: [call.tenant.orgId, slug],
    });
    if (row === undefined) throw notFound("Application");
    return { data: application(row) };
  };
}
