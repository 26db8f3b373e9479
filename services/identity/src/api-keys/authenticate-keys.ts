import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { type ApiKeyService, AuthenticateResponseSchema } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { findOwners } from "./find-owners.ts";

/** Returns the owners of many keys, with one read. */
export function authenticateKeys(deps: Deps): Handlers<typeof ApiKeyService>["authenticateKeys"] {
  return async ({ apiKeys }, call) => {
    const owners = await findOwners(deps, apiKeys, call);
    const toOwner = (key: string) => {
      const owner = owners.get(key);
      return owner && buildMessage(AuthenticateResponseSchema, owner);
    };
    return { results: apiKeys.map((key) => ({ owner: toOwner(key) })) };
  };
}
