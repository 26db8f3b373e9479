import { violatesUnique } from "@ems/kit/db/errors";
import { enumName } from "@ems/kit/enum";
import { conflict } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ApplicationEnvironment,
  ApplicationEnvironmentSchema,
  type ApplicationService,
  ApplicationType,
  ApplicationTypeSchema,
} from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { ApplicationEntity, type ApplicationRow } from "./entity.ts";
import { application } from "./messages.ts";
import { slugOf } from "./slug.ts";

type Handler = Handlers<typeof ApplicationService>["createApplication"];

/** A new application of the caller's organisation. It has no API key yet: the caller's stays with its own. */
export function createApplication({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async (request, call) => {
    const { title, slug, description = "", context = "", language, humanAnnotationEnabled = false } = request;
    const { type = ApplicationType.CHATBOT, environment = ApplicationEnvironment.DEV } = request;
    const [id, now] = [newId(), clock.now()];
    const row: ApplicationRow = {
      orgId: call.tenant.orgId,
      id,
      title,
      // A title without a letter of the Latin alphabet makes no slug; the id is one, and nobody else's.
      slug: slug ?? (slugOf(title) || id),
      description,
      context,
      language: language ?? null,
      type: enumName(ApplicationTypeSchema, type),
      environment: enumName(ApplicationEnvironmentSchema, environment),
      humanAnnotationEnabled,
      createdAt: now,
      modifiedAt: now,
    };
    return database.change(call, async (tx) => {
      await tx.insert(ApplicationEntity, row).catch((error: unknown) => {
        throw violatesUnique(error, "application_slug_key") ? conflict("The slug is taken") : error;
      });
      return { data: application(row) };
    });
  };
}
