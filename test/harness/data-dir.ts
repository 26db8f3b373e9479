// Data directories of products: new ones, and copies of others.

import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";

/** Environment variable with the folder of all data that is prepared once per test run. */
export const preparedVariable = "EMS_TEST_PREPARED";

/** Folder of the installation that prepared.ts creates there. */
export const installationIn = (prepared: string) => join(prepared, "installation");

/**
 * Returns a folder filled by `make` once per test run, in the first process that needs it. `name` identifies the folder
 * within the run. Outside a run, each process has its own folder.
 */
export async function madeOnce(name: string, make: (dir: string) => Promise<void>): Promise<string> {
  const prepared = process.env[preparedVariable];
  if (prepared === undefined) {
    const own = await temporaryDir(`ems-test-${name}-`);
    process.once("exit", () => rmSync(own, { recursive: true, force: true }));
    await make(own);
    return own;
  }
  const made = join(prepared, name);
  const [begun, lock] = [`${made}-begun`, `${made}-lock`];
  const endMs = performance.now() + madeMs;
  while (!existsSync(made)) {
    if (await isFirst(lock)) {
      await mkdir(begun);
      await make(begun).catch(async (error: unknown) => {
        // The next process retries.
        for (const dir of [begun, lock]) await rm(dir, { recursive: true });
        throw error;
      });
      await rename(begun, made);
    } else if (performance.now() > endMs) throw new Error(`another process of the run has not made ${made}`);
    else await delay(50);
  }
  return made;
}

/** Even on a slow machine next to six other products, one with sample data starts within this time. */
const madeMs = 300_000;

/** Creates a copy of the prepared directory; empty if the run has none, so that the product prepares it. */
export async function newDataDir(prefix: string): Promise<string> {
  const dir = await temporaryDir(prefix);
  await fillDataDir(dir);
  return dir;
}

/** Like `newDataDir`, with the server's files outside the installation's; both are in `directory`. */
export async function newDataDirs(
  prefix: string,
): Promise<{ directory: string; postgresDir: string; dataDir: string }> {
  const directory = await temporaryDir(prefix);
  const [postgresDir, dataDir] = [join(directory, "postgres"), join(directory, "data")];
  for (const dir of [postgresDir, dataDir]) await mkdir(dir);
  if (await fillDataDir(postgresDir)) await rename(join(postgresDir, "secrets.json"), join(dataDir, "secrets.json"));
  return { directory, postgresDir, dataDir };
}

/** A copy of the directory of a stopped product. */
export async function copyDataDir(from: string, prefix: string): Promise<string> {
  const dir = await temporaryDir(prefix);
  await copy(from, dir);
  return dir;
}

/** True for the first process that calls it. */
function isFirst(lock: string): Promise<boolean> {
  return mkdir(lock).then(
    () => true,
    () => false,
  );
}

/** Copies the prepared installation; returns true if the run has one. */
export async function fillDataDir(dir: string): Promise<boolean> {
  const prepared = process.env[preparedVariable];
  if (prepared === undefined) return false;
  await copy(installationIn(prepared), dir);
  return true;
}

/** fs.cp takes ten times as long. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", `${from}/.`, to]);
}
