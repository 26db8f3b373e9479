import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
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
export function createIdentity(config: IdentityConfig, { log, clock, newId, random }: ServiceDeps): Promise<Service> {
  return openService(identitySchema, config, log, (database) => {
    const publish = publisher(identitySchema.name, { clock, newId });
    const deps = { database, publish, clock, newId, random, peppers: config.API_KEY_PEPPERS };
    return [
      mount(ApiKeyService, {
        createApiKey: createApiKey(deps),
        deleteApiKey: deleteApiKey(deps),
        authenticate: authenticate(deps),
      }),
      mount(ApplicationService, { getApplication: getApplication(deps) }),
      mount(UserService, { batchGetUsers: batchGetUsers(deps) }),
    ];
  });
}
