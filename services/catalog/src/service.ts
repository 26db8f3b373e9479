import { createClient } from "@connectrpc/connect";
import { bulkPublisher, publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { CatalogConfig } from "./config.ts";
import { batchGetReferences, definitions } from "./definitions/index.ts";
import type { Deps } from "./deps.ts";
import { documents } from "./documents/index.ts";
import { facts } from "./facts/index.ts";
import { references } from "./references/index.ts";
import { catalogSchema } from "./schema.ts";
import { styleGuides } from "./style-guides/index.ts";
import { tags } from "./tags/index.ts";
import { tasks } from "./tasks/index.ts";
import { testPlans } from "./test-plans/index.ts";
import { topics } from "./topics/index.ts";
import { transfer } from "./transfer/index.ts";

const resources = [topics, tasks, tags, documents, styleGuides, facts, definitions, testPlans, transfer];

export function createCatalog(config: CatalogConfig, { log, bus, clock, newId, peer }: ServiceDeps): Promise<Service> {
  return openService(catalogSchema, config, { log, bus, clock }, (database) => {
    const deps: Deps = {
      database,
      publish: publisher(catalogSchema.name, { clock, newId }),
      publishAll: bulkPublisher(catalogSchema.name, { clock, newId }),
      clock,
      newId,
      users: createClient(UserService, peer("identity")),
      applications: createClient(ApplicationService, peer("identity")),
    };
    const referenceService = mount(ReferenceService, {
      ...references(deps),
      batchGetReferences: batchGetReferences(deps),
    });
    return [...resources.map((resource) => resource(deps)), referenceService];
  });
}
