import { neverAgain } from "@ems/kit/db/idempotency";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { EntityManager } from "typeorm";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "../entities/api-key.ts";
import { digestKey, displayPrefix, formKey, keyBytes } from "../key.ts";

type Handler = Handlers<typeof ApiKeyService>["createApiKey"];

/** Makes a key for the caller's application; its owner is the user who asks. */
export function createApiKey({ database, publish, clock, newId, random, peppers }: Deps): Handler {
  return async ({ name }, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const [id, key] = [newId(), formKey(random(keyBytes))];
    const create = async (manager: EntityManager) => {
      await manager.insert(ApiKeyEntity, {
        id,
        applicationId,
        orgId,
        userId,
        name,
        digest: digestKey(key, peppers[0] ?? ""),
        displayPrefix: displayPrefix(key),
        createdAt: clock.now(),
      });
      await publish(manager, call.tenant, { case: "apiKeyCreated", value: { id, name } });
      return { data: { id, key, name } };
    };
    // The plaintext is kept nowhere, so a repeat cannot be given it.
    return database.change(call, create, neverAgain);
  };
}
