import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";

/** Deletes a key. Idempotent: deleting a key that the application does not have is not an error. */
export function deleteApiKey({ database, publish }: Deps): Handlers<typeof ApiKeyService>["deleteApiKey"] {
  return ({ keyId }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id: keyId };
      const [row, deleted] = await Promise.all([tx.findOne(ApiKeyEntity, key), tx.delete(ApiKeyEntity, key)]);
      if (row === null || deleted === 0) return {};
      await publish(tx, call.tenant, { case: "apiKeyDeleted", value: { id: row.id, name: row.name } });
      return {};
    });
}
