import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ApplicationEnvironmentSchema,
  type ApplicationService,
  ApplicationTypeSchema,
} from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity } from "./entity.ts";
import { application } from "./messages.ts";

type Handler = Handlers<typeof ApplicationService>["listApplications"];

const list = listOf(ApplicationEntity, {
  alias: "a",
  where: `($2::text IS NULL OR a.slug = $2)
    AND ($3::text[] IS NULL OR a.type = ANY ($3)) AND ($4::text[] IS NULL OR a.environment = ANY ($4))`,
});

/** A page of the caller's organisation's applications. */
export function listApplications({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const types = enumNames(ApplicationTypeSchema, request.type);
    const environments = enumNames(ApplicationEnvironmentSchema, request.environment);
    const filters = [request.slug ?? null, types, environments];
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(application), pagination };
  };
}
