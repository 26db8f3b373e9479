import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { findKeys } from "./queries.ts";

type Handler = Handlers<typeof ApiKeyService>["authenticateKeys"];

/** Tells of many keys whom they belong to, in one look at the database. */
export function authenticateKeys(deps: Pick<Deps, "database" | "clock" | "peppers">): Handler {
  return async ({ apiKeys }, call) => {
    const owners = await findKeys(deps, apiKeys, call);
    return { results: apiKeys.map((key) => ({ owner: owners.get(key) })) };
  };
}
