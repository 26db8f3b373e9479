// Secrets of a local installation: secrets.json in DATA_DIR, readable by its owner only.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backupRole } from "@ems/kit/db/backup-role";
import { listRoles, type RolePasswords } from "@ems/kit/db/provision";
import { secureRandom } from "@ems/kit/id";
import { makeDirectory } from "./directory.ts";
import { newPrivateKeys } from "./keys.ts";
import type { ProcessName } from "./mesh.ts";
import type { NatsReader } from "./nats-readers.ts";
import { type NatsUser, natsUsers } from "./nats-users.ts";
import { schemas } from "./schemas.ts";

export interface Secrets {
  /** Keys with which the processes sign their calls. */
  readonly rpcPrivateKeys: Readonly<Record<ProcessName, string>>;
  /** Pepper that hashes API keys. Without it, no key in the database is valid. */
  readonly apiKeyPepper: string;
  /** Key that encrypts (seals) secrets and header values of webhooks: `id:base64`, 32 bytes. */
  readonly sealingKey: string;
  /** Passwords of the users of a local nats-server. */
  readonly natsPasswords: Readonly<Record<NatsUser, string>>;
  /** Other programs that may read events from a local nats-server. */
  readonly natsReaders: readonly NatsReader[];
  readonly passwords: RolePasswords;
}

function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

/** Stores an event reader. Replaces a reader with the same name. */
export async function storeNatsReader(dataDir: string, reader: NatsReader): Promise<void> {
  const secrets = await localSecrets(dataDir);
  const otherReaders = secrets.natsReaders.filter(({ name }) => name !== reader.name);
  await store(
    secretsFile(dataDir),
    JSON.stringify({ ...secrets, natsReaders: [...otherReaders, reader] }, null, 2),
    rename,
  );
}

interface SecretsOptions {
  /** True to replace lost secrets of a database with new ones. */
  readonly replacesLost?: boolean;
}

/** Reads the installation's secrets. Generates and stores missing ones, such as a password for a new service's role. */
export async function localSecrets(dataDir: string, { replacesLost = false }: SecretsOptions = {}): Promise<Secrets> {
  const path = secretsFile(dataDir);
  await makeDirectory(dataDir).catch((error: unknown) => {
    throw new Error(`DATA_DIR ${dataDir} cannot be created: ${(error as Error).message}`, { cause: error });
  });
  const stored = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stored === undefined && existsSync(join(dataDir, "pg/PG_VERSION")) && !replacesLost) {
    throw new Error(
      `${path} is missing, but the database has data. Without the secrets, no API key is valid and no sealed value can be ` +
        "opened. Restore the file, or replace the secrets: npm start -- --new-secrets",
    );
  }
  const text = JSON.stringify(completeSecrets(stored === undefined ? {} : parsed(path, stored)), null, 2);
  if (text !== stored) await store(path, text, stored === undefined ? link : rename);
  return JSON.parse(await readFile(path, "utf8"));
}

function parsed(path: string, text: string): Partial<Secrets> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON: restore the file.`, { cause: error });
  }
}

/** Generates the secrets that `stored` lacks. */
export function completeSecrets(stored: Partial<Secrets>): Secrets {
  return {
    rpcPrivateKeys: { ...newPrivateKeys(), ...stored.rpcPrivateKeys },
    apiKeyPepper: stored.apiKeyPepper ?? secret(),
    sealingKey: stored.sealingKey ?? `k1:${secureRandom(32).toString("base64")}`,
    natsPasswords: completePasswords(Object.keys(natsUsers) as NatsUser[], stored.natsPasswords),
    natsReaders: stored.natsReaders ?? [],
    passwords: completePasswords([...listRoles(schemas), backupRole], stored.passwords),
  };
}

/** Writes the file atomically. `place` is `link` to keep an existing file, or `rename` to replace it. */
async function store(path: string, text: string, place: typeof link): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await place(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns a password for each name: the stored password or a new one. */
function completePasswords<Name extends string>(
  names: readonly Name[],
  stored: Partial<Readonly<Record<Name, string>>> = {},
): Record<Name, string> {
  // The cast is safe: there is one entry for each name.
  return Object.fromEntries(names.map((name) => [name, stored[name] ?? secret()])) as Record<Name, string>;
}

export function secret(): string {
  return secureRandom(32).toString("base64url");
}
