import { notReplayable } from "@ems/kit/db/idempotency";
import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, limitReached } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";
import { issueKey } from "./issue-key.ts";

/** Creates a key owned by the calling user. */
export function createApiKey({ database, apiKeysMax, ...deps }: Deps): Handlers<typeof ApiKeyService>["createApiKey"] {
  return async ({ name, scopes, expiresAt: expires }, call) => {
    const expiresAt = expires === undefined ? null : dateFromTimestamp(expires);
    if (expiresAt !== null && expiresAt <= deps.clock.now())
      throw invalidField(["expires_at"], "Must be in the future");
    const create = async (tx: Transaction) => {
      if ((await countKeys(tx, call.tenant)) >= apiKeysMax) {
        throw limitReached(`This application has the maximum of ${apiKeysMax} API keys: delete one first`, apiKeysMax);
      }
      return { data: await issueKey(deps, tx, call.tenant, { name, scopes, expiresAt }) };
    };
    // The plaintext is not stored, so a repeated request cannot return it.
    return database.change(call, create, notReplayable);
  };
}

/** Counts keys under a lock of the application, so that the count remains valid until the transaction ends. */
async function countKeys(tx: Transaction, { orgId, applicationId }: Tenant): Promise<number> {
  const ids = [orgId, applicationId];
  tx.defer("SELECT FROM identity.application WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE", ids);
  return tx.count(ApiKeyEntity, { applicationId });
}
