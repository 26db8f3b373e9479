import { createClient } from "@connectrpc/connect";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { checkSchema, refusePowerfulRole } from "@ems/kit/db/guard";
import { publisher } from "@ems/kit/events/publish";
import { endpoints } from "@ems/kit/rpc/dispatch";
import { serviceInterceptors } from "@ems/kit/rpc/interceptors";
import { mount } from "@ems/kit/rpc/service";
import type { Service, ServiceDeps } from "@ems/kit/serve";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { CatalogConfig } from "./config.ts";
import { archiveTopic } from "./rpc/archive-topic.ts";
import { createTopic } from "./rpc/create-topic.ts";
import { getTopic } from "./rpc/get-topic.ts";
import { listTopics } from "./rpc/list-topics.ts";
import { catalogSchema } from "./schema.ts";

/** Catalog: topics and the tasks that hang on them. */
export async function createCatalog(config: CatalogConfig, { log, clock, newId, peer }: ServiceDeps): Promise<Service> {
  const dataSource = serviceDataSource({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    schema: catalogSchema,
    log,
  });
  await dataSource.initialize();
  await refusePowerfulRole(dataSource, catalogSchema);

  const deps = {
    database: new Database(dataSource),
    publish: publisher(catalogSchema.name, { clock, newId }),
    users: createClient(UserService, peer("identity")),
    clock,
    newId,
  };

  return {
    name: catalogSchema.name,
    endpoints: endpoints(
      [
        mount(TopicService, {
          createTopic: createTopic(deps),
          listTopics: listTopics(deps),
          getTopic: getTopic(deps),
          archiveTopic: archiveTopic(deps),
        }),
      ],
      serviceInterceptors({ callers: config.RPC_CALLERS, secret: config.RPC_SECRET, log }),
    ),
    ready: () => checkSchema(dataSource, catalogSchema),
    close: () => dataSource.destroy(),
  };
}
