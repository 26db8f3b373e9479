import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Account, environment } from "./account.ts";
import type { Binaries } from "./binaries.ts";

export interface Cluster {
  readonly pgDir: string;
  readonly password: string;
}

interface Place {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly volatile: boolean;
  readonly onProgress: (sentence: string) => void;
}

const unfinished = "pg.unfinished-";

/** The cluster in `<dataDir>/pg`, made when there is none. A finished one is never touched. */
export async function ensureCluster(place: Place): Promise<Cluster> {
  const pgDir = join(place.dataDir, "pg");
  const passwordFile = join(place.dataDir, "superuser-password");
  if (!existsSync(join(pgDir, "PG_VERSION"))) return createCluster(place, pgDir, passwordFile);
  await place.account.give(pgDir);
  const password = await readFile(passwordFile, "utf8").catch((cause: unknown) => {
    throw new Error(
      `${passwordFile} cannot be read, and without it nobody can log in to the PostgreSQL cluster beside it: put it back, or choose another DATA_DIR.`,
      { cause },
    );
  });
  return { pgDir, password };
}

// initdb works in a folder of another name, which gets its own when all is done: a cluster is there entirely or not at all.
async function createCluster(place: Place, pgDir: string, passwordFile: string): Promise<Cluster> {
  const { dataDir, account } = place;
  place.onProgress("Creating the PostgreSQL cluster…");
  for (const name of await readdir(dataDir)) {
    // A killed run's initdb may still be writing there, so this can fail; what stays is in nobody's way.
    if (name.startsWith(unfinished)) await rm(join(dataDir, name), { recursive: true, maxRetries: 5 }).catch(() => {});
  }
  const draft = join(dataDir, `${unfinished}${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  const password = randomBytes(32).toString("base64url");
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600, flag: "wx" });
  await account.give(draft);
  await account.give(passwordFile);
  await initdb(place, draft, passwordFile);
  await rename(draft, pgDir);
  return { pgDir, password };
}

async function initdb({ binaries, account, volatile }: Place, draft: string, passwordFile: string): Promise<void> {
  const options = [
    `--pgdata=${draft}`,
    "--username=postgres",
    // On a command line everybody could read the password.
    `--pwfile=${passwordFile}`,
    "--auth-host=scram-sha-256",
    "--auth-local=reject",
    "--encoding=UTF8",
    // PostgreSQL's own C.UTF-8 sorts the same on every system and never changes under an index.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    ...(volatile ? ["--no-sync"] : []),
  ];
  const [program = binaries.initdb, ...args] = [...account.wrapper, binaries.initdb, ...options];
  await promisify(execFile)(program, args, { ...account.ids, env: environment }).catch((cause: unknown) => {
    throw new Error(`The PostgreSQL cluster could not be created: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  });
}
