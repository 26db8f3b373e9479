import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { checkSchema, refusePowerfulRole } from "@ems/kit/db/guard";
import { publisher } from "@ems/kit/events/publish";
import { endpoints } from "@ems/kit/rpc/dispatch";
import { serviceInterceptors } from "@ems/kit/rpc/interceptors";
import { mount } from "@ems/kit/rpc/service";
import type { Service, ServiceDeps } from "@ems/kit/serve";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { IdentityConfig } from "./config.ts";
import { authenticate } from "./rpc/authenticate.ts";
import { batchGetUsers } from "./rpc/batch-get-users.ts";
import { createApiKey } from "./rpc/create-api-key.ts";
import { deleteApiKey } from "./rpc/delete-api-key.ts";
import { getApplication } from "./rpc/get-application.ts";
import { identitySchema } from "./schema.ts";

/** Identity: organisations, users, applications and API keys. */
export async function createIdentity(
  config: IdentityConfig,
  { log, clock, newId, random }: ServiceDeps,
): Promise<Service> {
  const dataSource = serviceDataSource({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    schema: identitySchema,
    log,
  });
  await dataSource.initialize();
  await refusePowerfulRole(dataSource, identitySchema);

  const database = new Database(dataSource);
  const publish = publisher(identitySchema.name, { clock, newId });
  const deps = { database, publish, clock, newId, random, peppers: config.API_KEY_PEPPERS };

  return {
    name: identitySchema.name,
    endpoints: endpoints(
      [
        mount(ApiKeyService, {
          createApiKey: createApiKey(deps),
          deleteApiKey: deleteApiKey(deps),
          authenticate: authenticate(deps),
        }),
        mount(ApplicationService, { getApplication: getApplication(deps) }),
        mount(UserService, { batchGetUsers: batchGetUsers(deps) }),
      ],
      serviceInterceptors({ callers: config.RPC_CALLERS, secret: config.RPC_SECRET, log }),
    ),
    ready: () => checkSchema(dataSource, identitySchema),
    close: () => dataSource.destroy(),
  };
}
