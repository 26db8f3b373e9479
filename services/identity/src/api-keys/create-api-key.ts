import { formKey, keyBytes } from "@ems/kit/api-key";
import { notReplayable } from "@ems/kit/db/idempotency";
import type { Transaction } from "@ems/kit/db/transaction";
import { conflict } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";
import { digestKey, displayPrefix } from "./key.ts";

type Handler = Handlers<typeof ApiKeyService>["createApiKey"];

/** Makes a key for the caller's application; its owner is the user who asks. */
export function createApiKey({ database, publish, clock, newId, random, peppers, apiKeysMax }: Deps): Handler {
  return async ({ name }, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const [id, key] = [newId(), formKey(random(keyBytes))];
    const create = async (tx: Transaction) => {
      if ((await countKeys(tx, call.tenant)) >= apiKeysMax) {
        throw conflict(`This application has ${apiKeysMax} API keys, and may have no more: delete one first`);
      }
      await tx.insert(ApiKeyEntity, {
        id,
        applicationId,
        orgId,
        userId,
        name,
        digest: digestKey(key, peppers[0] ?? ""),
        displayPrefix: displayPrefix(key),
        createdAt: clock.now(),
      });
      await publish(tx, call.tenant, { case: "apiKeyCreated", value: { id, name } });
      return { data: { id, key, name } };
    };
    // The plaintext is kept nowhere, so a repeat cannot be given it.
    return database.change(call, create, notReplayable);
  };
}

/** Counts an application's keys, one creation at a time: until the transaction ends, others wait for its lock. */
async function countKeys(tx: Transaction, { orgId, applicationId }: Tenant): Promise<number> {
  const ids = [orgId, applicationId];
  await tx.query("SELECT FROM identity.application WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE", ids);
  return tx.count(ApiKeyEntity, { applicationId });
}
