// API keys by their plaintext, for whoever shows it: nobody knows yet whose they are.

import { isKey } from "@ems/kit/api-key";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { digestKey } from "./key.ts";

type FindDeps = Pick<Deps, "database" | "clock" | "peppers">;

interface KeyRow {
  readonly key_id: string;
  readonly application_id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly last_used_at: Date | null;
  readonly digest: Buffer;
}

/** Whom a key stands for. */
export interface KeyOwner {
  readonly keyId: string;
  readonly applicationId: string;
  readonly orgId: string;
  readonly userId: string;
}

/** `last_used_at` is kept to this: a busy key would otherwise be a write for every read. */
const lastUsedGrainMs = 60_000;

/** Whom the keys belong to, by key, and notes that they were used; one that nobody has is left out. */
export async function findKeys(deps: FindDeps, keys: readonly string[], call: Call): Promise<Map<string, KeyOwner>> {
  const owners = new Map<string, KeyOwner>();
  for (const pepper of deps.peppers) {
    const wanted = keys.filter((key) => isKey(key) && !owners.has(key));
    if (wanted.length === 0) break;
    const byDigest = new Map(wanted.map((key) => [digestKey(key, pepper).toString("hex"), key]));
    for (const row of await readKeys(deps, [...byDigest.keys()], call)) {
      const { key_id: keyId, application_id: applicationId, org_id: orgId, user_id: userId } = row;
      await noteUse(deps, row, call);
      owners.set(byDigest.get(row.digest.toString("hex")) ?? "", { keyId, applicationId, orgId, userId });
    }
  }
  return owners;
}

function readKeys({ database }: FindDeps, digests: readonly string[], call: Call): Promise<KeyRow[]> {
  return database.readScoped<KeyRow>({ apiKeyDigest: digests.join(",") }, call.deadlineMs, {
    name: "find-keys",
    text: `SELECT id AS key_id, application_id, org_id, user_id, last_used_at, digest
      FROM identity.api_key WHERE digest = ANY ($1::bytea[])`,
    values: [digests.map((digest) => Buffer.from(digest, "hex"))],
  });
}

async function noteUse({ database, clock }: FindDeps, row: KeyRow, call: Call): Promise<void> {
  const now = clock.now();
  if (row.last_used_at !== null && now.getTime() - row.last_used_at.getTime() < lastUsedGrainMs) return;
  // With the key's digest it is authentication's: what its application asks for meanwhile does not hold it up.
  const scope = { applicationId: row.application_id, apiKeyDigest: row.digest.toString("hex") };
  await database.withScope(scope, call.deadlineMs, (tx) =>
    tx.query("UPDATE identity.api_key SET last_used_at = $3 WHERE application_id = $1 AND id = $2", [
      row.application_id,
      row.key_id,
      now,
    ]),
  );
}
