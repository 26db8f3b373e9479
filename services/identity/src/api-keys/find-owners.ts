import { isKey } from "@ems/kit/api-key";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { digestKey } from "./key.ts";

type FindDeps = Pick<Deps, "database" | "clock" | "peppers">;

export interface KeyOwner {
  readonly keyId: string;
  readonly applicationId: string;
  readonly orgId: string;
  readonly userId: string;
}

interface KeyRow extends KeyOwner {
  readonly lastUsedAt: Date | null;
  readonly digest: Buffer;
}

/** Writes `last_used_at` at most once a minute: otherwise every authentication would be a write. */
const lastUsedPrecisionMs = 60_000;

const text = `SELECT id AS "keyId", application_id AS "applicationId", org_id AS "orgId", user_id AS "userId",
    last_used_at AS "lastUsedAt", digest
  FROM identity.api_key WHERE digest = ANY ($1::bytea[])`;

/** The owners of keys, by key; unknown ones have none. Records that the keys were used. */
export async function findOwners(deps: FindDeps, keys: readonly string[], call: Call): Promise<Map<string, KeyOwner>> {
  const owners = new Map<string, KeyOwner>();
  for (const pepper of deps.peppers) {
    const remaining = keys.filter((key) => isKey(key) && !owners.has(key));
    if (remaining.length === 0) break;
    const byDigest = new Map(remaining.map((key) => [digestKey(key, pepper).toString("hex"), key]));
    for (const row of await readKeys(deps, [...byDigest.keys()], call)) {
      await recordUse(deps, row, call);
      const { lastUsedAt: _, digest, ...owner } = row;
      owners.set(byDigest.get(digest.toString("hex")) ?? "", owner);
    }
  }
  return owners;
}

/** The scope has the digests instead of a tenant: row-level security shows the keys that have them. */
function readKeys({ database }: FindDeps, digests: readonly string[], call: Call): Promise<KeyRow[]> {
  const values = [digests.map((digest) => Buffer.from(digest, "hex"))];
  const statement = { name: "find-keys", text, values };
  return database.readScoped<KeyRow>({ apiKeyDigest: digests.join(",") }, call.deadlineMs, statement);
}

async function recordUse({ database, clock }: FindDeps, row: KeyRow, call: Call): Promise<void> {
  const now = clock.now();
  if (row.lastUsedAt !== null && now.getTime() - row.lastUsedAt.getTime() < lastUsedPrecisionMs) return;
  // The digest in the scope takes a connection from authentication's share, not from the application's.
  const scope = { applicationId: row.applicationId, apiKeyDigest: row.digest.toString("hex") };
  await database.execute(scope, call.deadlineMs, [
    {
      name: "record-key-use",
      text: "UPDATE identity.api_key SET last_used_at = $3 WHERE application_id = $1 AND id = $2",
      values: [row.applicationId, row.keyId, now],
    },
  ]);
}
