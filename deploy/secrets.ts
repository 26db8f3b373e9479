// The secrets of a local installation: made once, kept in DATA_DIR, readable by their owner only.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RolePasswords, rolesOf } from "@ems/kit/db/prepare";
import { secureRandom } from "@ems/kit/id";
import { newPrivateKeys } from "./keys.ts";
import type { ProcessName } from "./mesh.ts";
import { type NatsUser, natsUsers } from "./nats-users.ts";
import { schemas } from "./schemas.ts";

export interface Secrets {
  /** By which each process proves to the others who it is. */
  readonly rpcPrivateKeys: Readonly<Record<ProcessName, string>>;
  /** Under which API keys are hashed: without it no key of the database works any more. */
  readonly apiKeyPepper: string;
  /** Under which secrets and header values of webhooks are sealed: `id:base64`, 32 bytes. */
  readonly sealingKey: string;
  /** Of the users of the nats-server that is started here. */
  readonly natsPasswords: Readonly<Record<NatsUser, string>>;
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
    rpcPrivateKeys: { ...newPrivateKeys(), ...kept.rpcPrivateKeys },
    apiKeyPepper: kept.apiKeyPepper ?? secret(),
    sealingKey: kept.sealingKey ?? `k1:${secureRandom(32).toString("base64")}`,
    natsPasswords: passwordsOf(Object.keys(natsUsers) as NatsUser[], kept.natsPasswords),
    passwords: passwordsOf(rolesOf(schemas), kept.passwords),
  };
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(draft, path);
  return secrets;
}

/** One for each name: that which is kept, or a new one. */
function passwordsOf<Name extends string>(
  names: readonly Name[],
  kept: Partial<Readonly<Record<Name, string>>> = {},
): Record<Name, string> {
  // One entry for every name.
  return Object.fromEntries(names.map((name) => [name, kept[name] ?? secret()])) as Record<Name, string>;
}

function secret(): string {
  return secureRandom(32).toString("base64url");
}
