import { unauthenticated } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { digestKey, isKey } from "../key.ts";

type Handler = Handlers<typeof ApiKeyService>["authenticate"];

interface KeyRow {
  readonly key_id: string;
  readonly application_id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly last_used_at: Date | null;
}

/** `last_used_at` is kept to this: a busy key would otherwise be a write for every read. */
const lastUsedGrainMs = 60_000;

/** Tells whom a key belongs to, and notes that it was used. */
export function authenticate(deps: Pick<Deps, "database" | "clock" | "peppers">): Handler {
  return async ({ apiKey }, call) => {
    const row = isKey(apiKey) ? await findKey(deps, apiKey, call) : undefined;
    if (row === undefined) throw unauthenticated();
    await noteUse(deps, row, call);
    return { keyId: row.key_id, applicationId: row.application_id, orgId: row.org_id, userId: row.user_id };
  };
}

async function findKey({ database, peppers }: Pick<Deps, "database" | "peppers">, apiKey: string, call: Call) {
  for (const pepper of peppers) {
    const digest = digestKey(apiKey, pepper);
    const [row] = await database.readScoped<KeyRow>({ apiKeyDigest: digest.toString("hex") }, call.deadlineMs, {
      name: "find-key",
      text: "SELECT id AS key_id, application_id, org_id, user_id, last_used_at FROM identity.api_key WHERE digest = $1",
      values: [digest],
    });
    if (row !== undefined) return row;
  }
  return undefined;
}

async function noteUse({ database, clock }: Pick<Deps, "database" | "clock">, row: KeyRow, call: Call): Promise<void> {
  const now = clock.now();
  if (row.last_used_at !== null && now.getTime() - row.last_used_at.getTime() < lastUsedGrainMs) return;
  await database.withScope({ applicationId: row.application_id }, call.deadlineMs, (manager) =>
    manager.query("UPDATE identity.api_key SET last_used_at = $3 WHERE application_id = $1 AND id = $2", [
      row.application_id,
      row.key_id,
      now,
    ]),
  );
}
