import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";

type Handler = Handlers<typeof ApiKeyService>["deleteApiKey"];

/** Deletes a key of the caller's application; a key that is not there, or is another application's, is gone already. */
export function deleteApiKey({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return async ({ keyId }, call) => {
    const { applicationId } = call.tenant;
    return database.change(call, async (tx) => {
      const key = await tx.findOne(ApiKeyEntity, { applicationId, id: keyId });
      const affected = await tx.delete(ApiKeyEntity, { applicationId, id: keyId });
      if (key === null || affected === 0) return {};
      await publish(tx, call.tenant, { case: "apiKeyDeleted", value: { id: key.id, name: key.name } });
      return {};
    });
  };
}
