import { publisher } from "@ems/kit/events/publish";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { apiKeys, KeyUses } from "./api-keys/index.ts";
import { appConfig } from "./app-config/index.ts";
import { applications } from "./applications/index.ts";
import type { IdentityConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { invitations } from "./invitations/index.ts";
import { members } from "./members/index.ts";
import { identitySchema } from "./schema.ts";
import { signIns } from "./sign-ins/index.ts";
import { tenants } from "./tenants/index.ts";
import { users } from "./users/index.ts";

const resources = [apiKeys, applications, users, appConfig, tenants, members, invitations, signIns];

export async function createIdentity(
  config: IdentityConfig,
  { log, bus, clock, newId, random }: ServiceDeps,
): Promise<Service> {
  let keyUses: KeyUses | undefined;
  const service = await openService(identitySchema, config, { log, bus, clock }, (database) => {
    keyUses = new KeyUses(database, log);
    const deps: Deps = {
      database,
      publish: publisher(identitySchema.name, { clock, newId }),
      clock,
      newId,
      random,
      peppers: config.API_KEY_PEPPERS,
      keyUses,
      apiKeysMax: config.API_KEYS_MAX,
      analytics: {
        host: config.ANALYTICS_HOST,
        key: config.ANALYTICS_KEY,
        cloudIdentifier: config.ANALYTICS_CLOUD_IDENTIFIER,
      },
    };
    return resources.map((resource) => resource(deps));
  });
  return {
    ...service,
    close: async () => {
      await keyUses?.stop();
      await service.close();
    },
  };
}
