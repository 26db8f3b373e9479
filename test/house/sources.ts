// The repository's files and packages, as its rules look at them.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");
/** Files that are tracked or would be. */
export const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
export const sources = files.filter((file) => /\.tsx?$/.test(file) && !/^(proto|gateway\/console)\/gen\//.test(file));
export const read = (file: string) => readFileSync(join(root, file), "utf8");
export const isTest = (file: string) => /\.test\.ts$|(^|\/)test\//.test(file);
/** Files that are neither tests nor test helpers; examples stand alone. */
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

/** The folder of the package that the file is part of. */
export function getPackage(file: string): string {
  let folder = dirname(file);
  while (!manifests.has(folder)) folder = dirname(folder);
  return folder;
}

const specifiers = /(?:\bfrom|\bimport\(|^import) ?"([^"\s]+)"/gm;

/** Imports of the file, types included. */
export const getImports = (file: string): string[] =>
  [...read(file).matchAll(specifiers)].map(([, specifier = ""]) => specifier);

const loadedSpecifiers = /^(?:import|export) (?!type\b)(?:[^"';]* from )?"([^"\s]+)"/gm;

/** Imports that are loaded with the file, without types and imports on demand. */
export const getLoadedImports = (file: string): string[] =>
  [...read(file).matchAll(loadedSpecifiers)].map(([, specifier = ""]) => specifier);

/** The files that it imports by a relative path. */
export const getRelativeImports = (file: string): string[] =>
  getImports(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(file, "..", specifier));
