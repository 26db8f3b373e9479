// PostgreSQL refuses to run as root, often the only user in containers and CI. This module prefers a user namespace
// that maps root to an ordinary uid, else uses another uid, with CAP_DAC_OVERRIDE if possible. Wrappers keep the pid.

import { execFile } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Account {
  /** Command line before the program; it executes the program as the account. */
  readonly wrapper: readonly string[];
  /** User and group for `spawn`. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Changes the owner of the path to the account. */
  chown(path: string): Promise<void>;
}

/** Complete environment of PostgreSQL's programs: no PG* variables, no secrets. */
export const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" };

// initdb looks up its user's name, so the uid must exist in /etc/passwd. This is the uid of the account `nobody`.
const ordinaryUid = 65534;
const asMappedUser = ["unshare", "--user", `--map-user=${ordinaryUid}`, `--map-group=${ordinaryUid}`];

export async function runAs(dataDir: string, postgres: string): Promise<Account> {
  const ourselves: Account = { wrapper: [], ids: {}, chown: async () => {} };
  if (process.getuid?.() !== 0) return ourselves;

  const owner = await readOwner(dataDir);
  const mapped = { ...ourselves, wrapper: asMappedUser };
  if (owner.uid === 0 && (await permits(mapped, dataDir, postgres))) return mapped;

  const { uid, gid } = owner.uid === 0 ? { uid: ordinaryUid, gid: ordinaryUid } : owner;
  const chown = (path: string) => run("chown", ["-R", `${uid}:${gid}`, path]).then(() => {});
  const capable = { wrapper: asCapableUser(uid, gid), ids: {}, chown };
  if (await permits(capable, dataDir, postgres)) return capable;

  await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  const plain = { wrapper: [], ids: { uid, gid }, chown };
  if (await permits(plain, dataDir, postgres)) return plain;

  throw new Error(
    `PostgreSQL does not run as root, and uid ${uid} cannot access the directories above ${dataDir} or ${postgres}: run as an ordinary user, or choose a DATA_DIR (and a checkout) below directories that every user may access.`,
  );
}

function asCapableUser(uid: number, gid: number): string[] {
  const capability = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...capability];
}

// Returns the owner of the cluster, or of the data directory before the cluster exists.
async function readOwner(dataDir: string): Promise<{ uid: number; gid: number }> {
  return stat(join(dataDir, "pg")).catch(() => stat(dataDir));
}

async function permits({ wrapper, ids }: Account, dataDir: string, postgres: string): Promise<boolean> {
  const script = 'test -x "$1" && exec "$2" --version';
  const [program = "sh", ...args] = [...wrapper, "sh", "-c", script, "sh", dataDir, postgres];
  try {
    await run(program, args, { ...ids, env: environment });
    return true;
  } catch {
    return false;
  }
}
