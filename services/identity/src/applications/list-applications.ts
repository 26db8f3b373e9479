import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ApplicationEnvironmentSchema,
  type ApplicationService,
  ApplicationTypeSchema,
} from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import type { ApplicationRow } from "./entity.ts";
import { application } from "./messages.ts";
import { applicationColumns } from "./queries.ts";

type Handler = Handlers<typeof ApplicationService>["listApplications"];

const orders = {
  createdAt: "a.created_at",
  modifiedAt: "a.modified_at",
  title: "a.title",
  slug: "a.slug",
  id: "a.id",
};

const matching = `FROM identity.application a
  WHERE a.org_id = $1 AND ($2::text IS NULL OR a.slug = $2)
    AND ($3::text[] IS NULL OR a.type = ANY ($3)) AND ($4::text[] IS NULL OR a.environment = ANY ($4))`;

/** A page of the caller's organisation's applications. */
export function listApplications({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const types = request.type.map((type) => enumName(ApplicationTypeSchema, type));
    const environments = request.environment.map((one) => enumName(ApplicationEnvironmentSchema, one));
    const filters = [
      call.tenant.orgId,
      request.slug ?? null,
      types.length > 0 ? types : null,
      environments.length > 0 ? environments : null,
    ];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-applications-${page.orderName}`,
        text: `SELECT ${applicationColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $5 OFFSET $6`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-applications", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    const applications = rows as ApplicationRow[];
    return { data: applications.map(application), pagination: pagination(page, counts?.[0]?.total ?? 0) };
  };
}
