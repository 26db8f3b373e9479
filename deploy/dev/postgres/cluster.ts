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

interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly volatile: boolean;
  readonly onProgress: (sentence: string) => void;
}

const unfinished = "pg.unfinished-";

/** Opens the cluster in `<dataDir>/pg`, or creates it. */
export async function ensureCluster(options: ClusterOptions): Promise<Cluster> {
  const pgDir = join(options.dataDir, "pg");
  const passwordFile = join(options.dataDir, "superuser-password");
  if (!existsSync(join(pgDir, "PG_VERSION"))) return createCluster(options, pgDir, passwordFile);
  await options.account.chown(pgDir);
  const password = await readFile(passwordFile, "utf8").catch((cause: unknown) => {
    throw new Error(
      `${passwordFile} cannot be read, and the PostgreSQL cluster beside it needs that password: restore the file, or choose another DATA_DIR.`,
      { cause },
    );
  });
  return { pgDir, password };
}

// Run initdb in a draft directory and rename it when complete, so that no incomplete cluster is used.
async function createCluster(options: ClusterOptions, pgDir: string, passwordFile: string): Promise<Cluster> {
  const { dataDir, account } = options;
  options.onProgress("Creating the PostgreSQL cluster…");
  for (const name of await readdir(dataDir)) {
    // Removing fails while the initdb of a killed run still writes there. Ignore it: remaining files are harmless.
    if (name.startsWith(unfinished)) await rm(join(dataDir, name), { recursive: true, maxRetries: 5 }).catch(() => {});
  }
  const draft = join(dataDir, `${unfinished}${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  const password = randomBytes(32).toString("base64url");
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600, flag: "wx" });
  await account.chown(draft);
  await account.chown(passwordFile);
  await initdb(options, draft, passwordFile);
  await rename(draft, pgDir);
  return { pgDir, password };
}

async function initdb(
  { binaries, account, volatile }: ClusterOptions,
  draft: string,
  passwordFile: string,
): Promise<void> {
  const options = [
    `--pgdata=${draft}`,
    "--username=postgres",
    // Use a file for the password, because every user on the machine can read a command line.
    `--pwfile=${passwordFile}`,
    "--auth-host=scram-sha-256",
    "--auth-local=reject",
    "--encoding=UTF8",
    // Builtin C.UTF-8 sorts the same on every system, so indexes stay valid. Before PostgreSQL 17, use the system's.
    ...(binaries.major < 17
      ? ["--locale=C.UTF-8"]
      : ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]),
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
