import { serviceRig, testTenant } from "@ems/kit/testing";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { catalogConfig } from "./config.ts";
import { catalogSchema } from "./schema.ts";
import { createCatalog } from "./service.ts";

/** The one person whom the stand-in for identity knows. */
export const knownUser = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** Catalog on a database of its own; identity knows one user. */
export async function catalogRig() {
  const asked: string[][] = [];
  const rig = await serviceRig({
    schema: catalogSchema,
    config: catalogConfig,
    build: createCatalog,
    peers: (router) =>
      router.service(UserService, {
        batchGetUsers: ({ ids }) => {
          asked.push(ids);
          return { users: ids.includes(knownUser.id) ? [knownUser] : [] };
        },
      }),
  });
  return {
    ...rig,
    topics: rig.client(TopicService),
    documents: rig.client(DocumentService),
    tasks: rig.client(TaskService),
    tags: rig.client(TagService),
    tenant: testTenant(),
    asked,
  };
}
