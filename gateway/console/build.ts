// `buildConsole` builds `dist/` if the sources have changed. In a shell, run `node gateway/console/build.ts`. `--sizes`
// prints how much of the size budgets is used.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkBudgets } from "./budgets.ts";
import { compressAssets } from "./compress.ts";

const root = import.meta.dirname;
export const consoleDirectory = join(root, "dist");
const stamp = join(consoleDirectory, ".fingerprint");

export interface BuildOptions {
  /** Prints the progress of a build. */
  readonly print?: (line: string) => void;
  /** Prints a size that has a budget. */
  readonly printSize?: (line: string) => void;
}

/** Returns the directory of the built files. Loads Vite only if something has changed. */
export async function buildConsole({
  print = () => undefined,
  printSize = () => undefined,
}: BuildOptions = {}): Promise<string> {
  const fingerprint = await computeFingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return consoleDirectory;
  const startedAt = performance.now();
  print("Building the console…");
  const { build } = await import("vite");
  // Build into a temporary folder, because another process may build now or serve the previous build.
  const outDir = join(root, "dist", `.${process.pid}`);
  try {
    await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn", build: { outDir } });
    const assets = await compressAssets(join(outDir, "console/assets"));
    for (const line of await checkBudgets(outDir, assets)) printSize(line);
    await publish(outDir);
    writeFileSync(stamp, fingerprint);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
  print(`Built the console in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
  return consoleDirectory;
}

/** Publishes assets before index.html, so that a page never refers to a missing asset. Then deletes old assets. */
async function publish(built: string): Promise<void> {
  const assets = "console/assets";
  const names = new Set(await readdir(join(built, assets)));
  await mkdir(join(consoleDirectory, assets), { recursive: true });
  const before = await readdir(join(consoleDirectory, assets));
  await cp(join(built, assets), join(consoleDirectory, assets), { recursive: true });
  for (const file of ["licenses.md", "index.html"]) await rename(join(built, file), join(consoleDirectory, file));
  const outdated = before.filter((name) => !names.has(name));
  await Promise.all(outdated.map((name) => rm(join(consoleDirectory, assets, name), { force: true })));
}

/** Returns a hash of everything that the build reads. For packages, it includes only the lockfile. */
async function computeFingerprint(): Promise<string> {
  const folders = await Promise.all(["src", "gen"].map((folder) => filesIn(join(root, folder))));
  const own = ["index.html", "package.json", "vite.config.ts", "build.ts", "budgets.ts", "compress.ts"];
  const lockfile = join(root, "../../pnpm-lock.yaml");
  const hash = createHash("sha256");
  for (const file of [...folders.flat().sort(), ...own.map((name) => join(root, name)), lockfile]) {
    if (existsSync(file)) hash.update(`${file.slice(root.length)}\n`).update(await readFile(file));
  }
  return hash.digest("hex");
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) {
  const print = (line: string) => process.stderr.write(`${line}\n`);
  await buildConsole({ print, ...(process.argv.includes("--sizes") && { printSize: print }) });
}
