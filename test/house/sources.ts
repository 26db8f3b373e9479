// Files and packages of the repository, for the tests of its rules.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");
/** Tracked files, and new files that are not ignored. */
export const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
export const sources = files.filter((file) => /\.tsx?$/.test(file) && !/^(proto|gateway\/console)\/gen\//.test(file));
export const read = (file: string) => readFileSync(join(root, file), "utf8");
export const isTest = (file: string) => /\.test\.ts$|(^|\/)test\//.test(file);
/** Files of the product, without tests, test helpers and examples. */
export const product = sources.filter((file) => !isTest(file) && !file.startsWith("deploy/example/"));
/** The packages of `services/` that run as processes; the others are kit and libraries. */
export const services = files.flatMap((file) => /^services\/([^/]+)\/src\/main\.ts$/.exec(file)?.[1] ?? []);

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export const manifests = new Map<string, Manifest>(
  files
    .filter((file) => /(^|\/)package\.json$/.test(file))
    .map((file): [string, Manifest] => [dirname(file), JSON.parse(read(file))]),
);

/** Returns the folder of the package that contains the file. */
export function getPackage(file: string): string {
  let folder = dirname(file);
  while (!manifests.has(folder)) folder = dirname(folder);
  return folder;
}

const specifiers = /(?:\bfrom|\bimport\(|^import) ?"([^"\s]+)"/gm;

/** Lists the imports of a file, including types. */
export const getImports = (file: string): string[] =>
  [...read(file).matchAll(specifiers)].map(([, specifier = ""]) => specifier);

const loadedSpecifiers = /^(?:import|export) (?!type\b)(?:[^"';]* from )?"([^"\s]+)"/gm;

/** Lists the imports that are loaded with the file, without types and dynamic imports. */
export const getLoadedImports = (file: string): string[] =>
  [...read(file).matchAll(loadedSpecifiers)].map(([, specifier = ""]) => specifier);

/** Lists the files that it imports by a relative path. */
export const getRelativeImports = (file: string): string[] =>
  getImports(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(file, "..", specifier));
