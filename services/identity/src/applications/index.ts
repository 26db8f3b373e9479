import { type Mount, mount } from "@ems/kit/rpc/service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";
import { createApplication } from "./create-application.ts";
import { getApplication } from "./get-application.ts";
import { getApplicationBySlug } from "./get-application-by-slug.ts";
import { listApplications } from "./list-applications.ts";

export { findOrCreateApplication } from "./find-or-create-application.ts";

export const applications = (deps: Deps): Mount =>
  mount(ApplicationService, {
    createApplication: createApplication(deps),
    listApplications: listApplications(deps),
    getApplicationBySlug: getApplicationBySlug(deps),
    getApplication: getApplication(deps),
  });
