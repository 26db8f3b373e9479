import { type Mount, mount } from "@ems/kit/rpc/service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { authenticate } from "./authenticate.ts";
import { authenticateKeys } from "./authenticate-keys.ts";
import { createApiKey } from "./create-api-key.ts";
import { deleteApiKey } from "./delete-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";

export { issueKey } from "./issue-key.ts";
export { KeyUses } from "./key-uses.ts";

export const apiKeys = (deps: Deps): Mount =>
  mount(ApiKeyService, {
    createApiKey: createApiKey(deps),
    listApiKeys: listApiKeys(deps),
    deleteApiKey: deleteApiKey(deps),
    authenticate: authenticate(deps),
    authenticateKeys: authenticateKeys(deps),
  });
