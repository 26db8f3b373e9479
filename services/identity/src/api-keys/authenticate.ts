import { unauthenticated } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { findKeys } from "./queries.ts";

type Handler = Handlers<typeof ApiKeyService>["authenticate"];

/** Tells whom a key belongs to, and notes that it was used. */
export function authenticate(deps: Pick<Deps, "database" | "clock" | "peppers">): Handler {
  return async ({ apiKey }, call) => {
    const owner = (await findKeys(deps, [apiKey], call)).get(apiKey);
    if (owner === undefined) throw unauthenticated();
    return owner;
  };
}
