import { violatesUnique } from "@ems/kit/db/errors";
import { enumName } from "@ems/kit/enum";
import { conflict } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ApplicationEnvironmentSchema,
  type ApplicationService,
  ApplicationTypeSchema,
} from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { copyOwners } from "../members/index.ts";
import { ApplicationEntity, type ApplicationRow } from "./entity.ts";
import { application } from "./messages.ts";
import { newApplication } from "./new-application.ts";

/**
 * Creates an application without an API key, because the caller's key belongs to another application. Its owners are
 * copied from the caller's application.
 */
export function createApplication({
  database,
  ...deps
}: Deps): Handlers<typeof ApplicationService>["createApplication"] {
  return async ({ title, slug, description, context, language, type, environment, humanAnnotationEnabled }, call) => {
    const optional = definedFields({
      slug,
      description,
      context,
      // Safe cast: validation of the request allows the same languages.
      language: language as ApplicationRow["language"] | undefined,
      type: enumName<ApplicationRow["type"]>(ApplicationTypeSchema, type),
      environment: enumName<ApplicationRow["environment"]>(ApplicationEnvironmentSchema, environment),
      humanAnnotationEnabled,
    });
    const row = newApplication(deps, call.tenant.orgId, { title, ...optional });
    const change = database.change(call, async (tx) => {
      await tx.insert(ApplicationEntity, row);
      await copyOwners(deps, tx, call.tenant.applicationId, row.id);
      return { data: application(row) };
    });
    return change.catch((error: unknown) => {
      throw violatesUnique(error, "application_slug_key") ? conflict("The slug is taken") : error;
    });
  };
}
