import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { IdentityConfig } from "./config.ts";
import { authenticate } from "./api-keys/authenticate.ts";
import { authenticateKeys } from "./api-keys/authenticate-keys.ts";
import { batchGetUsers } from "./users/batch-get-users.ts";
import { createApiKey } from "./api-keys/create-api-key.ts";
import { createApplication } from "./applications/create-application.ts";
import { createUser } from "./users/create-user.ts";
import { deleteApiKey } from "./api-keys/delete-api-key.ts";
import { getAppConfig } from "./app-config/get-app-config.ts";
import { getApplication } from "./applications/get-application.ts";
import { getApplicationBySlug } from "./applications/get-application-by-slug.ts";
import { getUser } from "./users/get-user.ts";
import { listApplications } from "./applications/list-applications.ts";
import { listUsers } from "./users/list-users.ts";
import { identitySchema } from "./schema.ts";

/** Identity: organisations, users, applications with their flags, and API keys. */
export function createIdentity(
  config: IdentityConfig,
  { log, bus, clock, newId, random }: ServiceDeps,
): Promise<Service> {
  return openService(identitySchema, config, { log, bus }, (database) => {
    const publish = publisher(identitySchema.name, { clock, newId });
    const analytics = {
      host: config.ANALYTICS_HOST,
      key: config.ANALYTICS_KEY,
      cloudIdentifier: config.ANALYTICS_CLOUD_IDENTIFIER,
    };
    const { API_KEY_PEPPERS: peppers, API_KEYS_MAX: apiKeysMax } = config;
    const deps = { database, publish, clock, newId, random, peppers, apiKeysMax, analytics };
    return [
      mount(ApiKeyService, {
        createApiKey: createApiKey(deps),
        deleteApiKey: deleteApiKey(deps),
        authenticate: authenticate(deps),
        authenticateKeys: authenticateKeys(deps),
      }),
      mount(ApplicationService, {
        createApplication: createApplication(deps),
        listApplications: listApplications(deps),
        getApplicationBySlug: getApplicationBySlug(deps),
        getApplication: getApplication(deps),
      }),
      mount(UserService, {
        listUsers: listUsers(deps),
        getUser: getUser(deps),
        createUser: createUser(deps),
        batchGetUsers: batchGetUsers(deps),
      }),
      mount(AppConfigService, { getAppConfig: getAppConfig(deps) }),
    ];
  });
}
