import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ApplicationEnvironmentSchema,
  ApplicationOrderSchema,
  type ApplicationService,
  ApplicationTypeSchema,
} from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity } from "./entity.ts";
import { application } from "./messages.ts";

const list = defineList(ApplicationEntity, {
  alias: "application",
  orderBy: ApplicationOrderSchema,
  where: {
    slug: "application.slug = ?",
    type: "application.type = ANY (?)",
    environment: "application.environment = ANY (?)",
    humanAnnotationEnabled: "application.human_annotation_enabled = ?",
  },
});

export function listApplications({ database }: Deps): Handlers<typeof ApplicationService>["listApplications"] {
  return async (request, call) => {
    const filters = {
      slug: request.slug,
      type: enumNames(ApplicationTypeSchema, request.type),
      environment: enumNames(ApplicationEnvironmentSchema, request.environment),
      humanAnnotationEnabled: request.humanAnnotationEnabled,
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(application), pagination };
  };
}
