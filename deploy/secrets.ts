// The secrets of a local installation: made once, kept in DATA_DIR, readable by their owner only.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RolePasswords, rolesOf } from "@ems/kit/db/prepare";
import { secureRandom } from "@ems/kit/id";
import { schemas } from "./schemas.ts";

export interface Secrets {
  /** Proves callers to services. */
  readonly rpcSecret: string;
  /** Under which API keys are hashed: without it no key of the database works any more. */
  readonly apiKeyPepper: string;
  /** Under which secrets and header values of webhooks are sealed: `id:base64`, 32 bytes. */
  readonly sealingKey: string;
  /** Of the one user of the nats-server that is started here. */
  readonly natsPassword: string;
  readonly passwords: RolePasswords;
}

/** The installation's secrets; what is missing, such as the password of a new service's role, is made and kept. */
export async function localSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, "secrets.json");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const kept: Partial<Secrets> = await readFile(path, "utf8").then(JSON.parse, (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return {};
    throw error;
  });
  const secrets: Secrets = {
    rpcSecret: kept.rpcSecret ?? secret(),
    apiKeyPepper: kept.apiKeyPepper ?? secret(),
    sealingKey: kept.sealingKey ?? `k1:${secureRandom(32).toString("base64")}`,
    natsPassword: kept.natsPassword ?? secret(),
    passwords: Object.fromEntries(rolesOf(schemas).map((role) => [role, kept.passwords?.[role] ?? secret()])),
  };
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(draft, path);
  return secrets;
}

function secret(): string {
  return secureRandom(32).toString("base64url");
}
