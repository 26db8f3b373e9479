import { notFound } from "@ems/kit/errors";
import { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { serviceHarness, testTenant } from "@ems/test-support";
import { catalogConfig } from "../src/config.ts";
import { catalogSchema } from "../src/schema.ts";
import { createCatalog } from "../src/service.ts";

/** The only user of the fake identity. */
export const existingUser = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** Starts catalog on a new database; fake identity has one user and every application not in `missingApplications`. */
export async function catalogHarness() {
  const batchRequests: string[][] = [];
  const applicationRequests: string[] = [];
  const missingApplications = new Set<string>();
  const harness = await serviceHarness({
    schema: catalogSchema,
    config: catalogConfig,
    build: createCatalog,
    peers: (router) => {
      router.service(UserService, {
        batchGetUsers: ({ ids }) => {
          batchRequests.push(ids);
          return { users: ids.includes(existingUser.id) ? [existingUser] : [] };
        },
      });
      router.service(ApplicationService, {
        getApplication: ({ id }) => {
          applicationRequests.push(id);
          if (missingApplications.has(id)) throw notFound("Application");
          return { data: { id, title: "Support assistant" } };
        },
      });
    },
  });
  return {
    ...harness,
    topics: harness.client(TopicService),
    documents: harness.client(DocumentService),
    tasks: harness.client(TaskService),
    tags: harness.client(TagService),
    styleGuides: harness.client(StyleGuideService),
    definitions: harness.client(DefinitionService),
    tenant: testTenant(),
    batchRequests,
    applicationRequests,
    missingApplications,
  };
}
