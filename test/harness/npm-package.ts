// An npm package that only some tests need, fetched once and unpacked next to the installed packages.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cache } from "./debian.ts";

const run = promisify(execFile);

/** Returns the folder of the unpacked package, such as `@scope/name@1.2.3`. Its scripts do not run. */
export async function npmPackage(specifier: string): Promise<string> {
  const folder = join(cache, "npm", specifier.replaceAll("/", "+"));
  const unpacked = join(folder, "package");
  if (existsSync(unpacked)) return unpacked;
  await mkdir(join(cache, "npm"), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", draft, specifier]);
    await run("tar", ["-C", draft, "-xzf", join(draft, stdout.trim())]);
    await mkdir(folder, { recursive: true });
    // Another process may have been faster.
    await rename(join(draft, "package"), unpacked).catch((error: unknown) => {
      if (!existsSync(unpacked)) throw error;
    });
    return unpacked;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
