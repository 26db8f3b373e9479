// PostgreSQL refuses to run as root, and containers and CI often have nothing but root. The ways out, best first:
// a user namespace in which root's uid is mapped to an ordinary one (nothing changes owner, folders of mode 0700 stay
// passable), or another uid, where possible with the capability to pass such folders. Each way execs, so the pid is the server's.

import { execFile } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Account {
  /** What stands before the program on the command line. */
  readonly wrapper: readonly string[];
  /** Options for spawn; without a uid the process keeps ours. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Hands over to the account what it must own. */
  give(path: string): Promise<void>;
}

/** The only environment a program of PostgreSQL gets: no PG* setting of the user's, no secret of the product's. */
export const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" };

// nobody: a uid out of the air would not do, since initdb looks up its own name.
const nobody = 65534;
const asMappedUser = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`];

export async function runAs(dataDir: string, postgres: string): Promise<Account> {
  const ourselves: Account = { wrapper: [], ids: {}, give: async () => {} };
  if (process.getuid?.() !== 0) return ourselves;

  const owner = await ownerOf(dataDir);
  const mapped = { ...ourselves, wrapper: asMappedUser };
  if (owner.uid === 0 && (await permits(mapped, dataDir, postgres))) return mapped;

  const { uid, gid } = owner.uid === 0 ? { uid: nobody, gid: nobody } : owner;
  const give = (path: string) => run("chown", ["-R", `${uid}:${gid}`, path]).then(() => {});
  const capable = { wrapper: asCapableUser(uid, gid), ids: {}, give };
  if (await permits(capable, dataDir, postgres)) return capable;

  await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  const plain = { wrapper: [], ids: { uid, gid }, give };
  if (await permits(plain, dataDir, postgres)) return plain;

  throw new Error(
    `PostgreSQL does not run as root, and uid ${uid} cannot pass the folders above ${dataDir} or ${postgres}: run as an ordinary user, or choose a DATA_DIR (and a checkout) below folders everybody may pass.`,
  );
}

function asCapableUser(uid: number, gid: number): string[] {
  const capability = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...capability];
}

// Whoever owns the cluster goes before the owner of the folder it is in.
async function ownerOf(dataDir: string): Promise<{ uid: number; gid: number }> {
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
