import { unauthenticated } from "@ems/kit/errors";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { type ApiKeyService, AuthenticateResponseSchema } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { findOwners } from "./find-owners.ts";

/** Returns the owner of a key and records its use. */
export function authenticate(deps: Deps): Handlers<typeof ApiKeyService>["authenticate"] {
  return async ({ apiKey }, call) => {
    const owner = (await findOwners(deps, [apiKey], call)).get(apiKey);
    if (owner === undefined) throw unauthenticated();
    return buildMessage(AuthenticateResponseSchema, owner);
  };
}
