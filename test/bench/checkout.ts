// Checks out another commit of this repository into its own folder and installs its packages, for `--compare`.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { benchDirectory } from "./directory.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../..");

export interface Version {
  /** Folder of the version's code. */
  readonly root: string;
  /** Seven digits of the hash; followed by `+` if this folder has uncommitted changes. */
  readonly commit: string;
}

/** Returns the version of this file's repository. */
export async function thisVersion(): Promise<Version> {
  const isChanged = (await git("status", "--porcelain")) !== "";
  return { root: repository, commit: `${await git("rev-parse", "--short=7", "HEAD")}${isChanged ? "+" : ""}` };
}

/** Checks a commit (hash, branch or tag) out outside the repository and installs its packages; `stack` deletes it. */
export async function checkOut(name: string, stack: AsyncDisposableStack): Promise<Version> {
  const hash = await git("rev-parse", "--verify", "--quiet", `${name}^{commit}`).catch(() => {
    throw new Error(`--compare: this repository has no commit "${name}"`);
  });
  const root = await benchDirectory(stack, true);
  await git("clone", "--quiet", "--shared", "--no-checkout", repository, root);
  await git("-C", root, "checkout", "--quiet", "--detach", hash);
  // The launcher installs packages before any task; this task does nothing else.
  await run(process.execPath, ["deploy/run.mjs", "typecheck", "--help"], { cwd: root });
  return { root, commit: hash.slice(0, 7) };
}

async function git(...args: string[]): Promise<string> {
  return (await run("git", args, { cwd: repository })).stdout.trim();
}
