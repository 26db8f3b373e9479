// ClickHouse's engine for tests, npm's chdb: installed once per user and version, outside the product's packages. If
// CLICKHOUSE_TEST_URL names a server, that server is used and nothing is installed.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const source = join(import.meta.dirname, "../clickhouse");

/** For the projects `archive` and `nightly`. */
export default async function setup({ provide }: Pick<TestProject, "provide">): Promise<void> {
  provide("chdb", process.env.CLICKHOUSE_TEST_URL === undefined ? await chdb() : undefined);
}

/** A folder with chdb installed. */
export async function chdb(): Promise<string> {
  const lock = await readFile(join(source, "package-lock.json"));
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "ems");
  const folder = join(cache, `chdb-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const installing = await mkdtemp(`${folder}-`);
  try {
    for (const name of ["package.json", "package-lock.json"]) await cp(join(source, name), join(installing, name));
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: installing });
    // A concurrent installation has put the same packages there.
    await rename(installing, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(installing, { recursive: true, force: true });
  }
}
