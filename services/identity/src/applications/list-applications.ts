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

const list = listOf(ApplicationEntity, {
  alias: "application",
  where: `($2::text IS NULL OR application.slug = $2)
    AND ($3::text[] IS NULL OR application.type = ANY ($3))
    AND ($4::text[] IS NULL OR application.environment = ANY ($4))`,
});

export function listApplications({ database }: Deps): Handlers<typeof ApplicationService>["listApplications"] {
  return async (request, call) => {
    const types = enumNames(ApplicationTypeSchema, request.type);
    const environments = enumNames(ApplicationEnvironmentSchema, request.environment);
    const filters = [request.slug ?? null, types, environments];
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(application), pagination };
  };
}
