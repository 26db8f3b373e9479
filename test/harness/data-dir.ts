// Data directories of products that begin with nothing.

import { execFile } from "node:child_process";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";

/** Tells the processes of a run of tests what prepared.ts made. */
export const preparedVariable = "EMS_TEST_PREPARED";

/** A copy of the prepared directory; empty where the run has none, so that the product prepares it. */
export async function newDataDir(prefix: string): Promise<string> {
  const dir = await temporaryDir(prefix);
  await fill(dir);
  return dir;
}

/** The same for a server apart from the installation's own files; both are in `directory`. */
export async function newDataDirs(
  prefix: string,
): Promise<{ directory: string; postgresDir: string; dataDir: string }> {
  const directory = await temporaryDir(prefix);
  const [postgresDir, dataDir] = [join(directory, "postgres"), join(directory, "data")];
  for (const dir of [postgresDir, dataDir]) await mkdir(dir);
  if (await fill(postgresDir)) await rename(join(postgresDir, "secrets.json"), join(dataDir, "secrets.json"));
  return { directory, postgresDir, dataDir };
}

/** A copy of a product's directory, which must not be running. */
export async function copyDataDir(from: string, prefix: string): Promise<string> {
  const dir = await temporaryDir(prefix);
  await copy(from, dir);
  return dir;
}

async function fill(dir: string): Promise<boolean> {
  const prepared = process.env[preparedVariable];
  if (prepared === undefined) return false;
  await copy(prepared, dir);
  return true;
}

/** fs.cp takes ten times as long. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", `${from}/.`, to]);
}
