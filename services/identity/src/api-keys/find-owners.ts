import { isKey } from "@ems/kit/api-key";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { digestKey } from "./key.ts";

type FindDeps = Pick<Deps, "database" | "clock" | "peppers" | "keyUses">;

export interface KeyOwner {
  readonly keyId: string;
  readonly applicationId: string;
  readonly orgId: string;
  readonly userId: string;
  /** Permissions of the key; empty means all permissions. */
  readonly scopes: string[];
  readonly expiresAt: Date | null;
}

interface KeyRow extends KeyOwner {
  readonly lastUsedAt: Date | null;
  readonly digest: Buffer;
}

/** Minimum interval between writes of `last_used_at`; otherwise every authentication would cause a write. */
const lastUsedPrecisionMs = 60_000;

const text = `SELECT id AS "keyId", application_id AS "applicationId", org_id AS "orgId", user_id AS "userId",
    last_used_at AS "lastUsedAt", scopes, expires_at AS "expiresAt", digest
  FROM identity.api_key WHERE digest = ANY ($1::bytea[])`;

/** Finds the owners of keys, by key, and records the keys' use. Omits unknown and expired keys. */
export async function findOwners(deps: FindDeps, keys: readonly string[], call: Call): Promise<Map<string, KeyOwner>> {
  const owners = new Map<string, KeyOwner>();
  for (const pepper of deps.peppers) {
    const remaining = keys.filter((key) => isKey(key) && !owners.has(key));
    if (remaining.length === 0) break;
    const byDigest = new Map(remaining.map((key) => [digestKey(key, pepper).toString("hex"), key]));
    for (const row of await readKeys(deps, [...byDigest.keys()], call)) {
      const { lastUsedAt, digest, ...owner } = row;
      const now = deps.clock.now();
      if (owner.expiresAt !== null && owner.expiresAt <= now) continue;
      if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= lastUsedPrecisionMs)
        deps.keyUses.add({ ...owner, digest: digest.toString("hex"), at: now });
      owners.set(byDigest.get(digest.toString("hex")) ?? "", owner);
    }
  }
  return owners;
}

/**
 * Reads keys by digest. The scope contains the digests instead of a tenant, and row-level security gives access only to
 * keys with these digests.
 */
function readKeys({ database }: FindDeps, digests: readonly string[], call: Call): Promise<KeyRow[]> {
  const values = [digests.map((digest) => Buffer.from(digest, "hex"))];
  const statement = { name: "find-keys", text, values };
  return database.readScoped<KeyRow>({ apiKeyDigest: digests.join(",") }, call.deadlineMs, statement);
}
