import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { IdentityConfig } from "./config.ts";
import { authenticate } from "./rpc/authenticate.ts";
import { authenticateKeys } from "./rpc/authenticate-keys.ts";
import { batchGetUsers } from "./rpc/batch-get-users.ts";
import { createApiKey } from "./rpc/create-api-key.ts";
import { createApplication } from "./rpc/create-application.ts";
import { createUser } from "./rpc/create-user.ts";
import { deleteApiKey } from "./rpc/delete-api-key.ts";
import { getAppConfig } from "./rpc/get-app-config.ts";
import { getApplication } from "./rpc/get-application.ts";
import { getApplicationBySlug } from "./rpc/get-application-by-slug.ts";
import { getUser } from "./rpc/get-user.ts";
import { listApplications } from "./rpc/list-applications.ts";
import { listUsers } from "./rpc/list-users.ts";
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
