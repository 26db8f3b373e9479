import { formKey, keyBytes } from "@ems/kit/api-key";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";
import { digestKey, displayPrefix } from "./key.ts";

interface NewKey {
  readonly name: string;
  /** Permissions of the key; empty means all permissions. */
  readonly scopes?: string[];
  readonly expiresAt?: Date | null;
  /** Plaintext of a key that was generated elsewhere; if not set, a new key is generated. */
  readonly key?: string | undefined;
}

/** Stores the digest of a new key, using the newest pepper; only the result contains the plaintext. */
export async function issueKey(
  { publish, clock, newId, random, peppers }: Pick<Deps, "publish" | "clock" | "newId" | "random" | "peppers">,
  tx: Transaction,
  { applicationId, orgId, userId }: Tenant,
  { name, scopes = [], expiresAt = null, key = formKey(random(keyBytes)) }: NewKey,
): Promise<{ id: string; key: string; name: string }> {
  const id = newId();
  const digest = digestKey(key, peppers[0] ?? "");
  const row = { id, applicationId, orgId, userId, name, digest, displayPrefix: displayPrefix(key), scopes, expiresAt };
  await tx.insert(ApiKeyEntity, { ...row, createdAt: clock.now() });
  await publish(tx, { applicationId, orgId, userId }, { case: "apiKeyCreated", value: { id, name } });
  return { id, key, name };
}
