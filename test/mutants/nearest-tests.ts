// Finds the tests nearest to a source file: fewest imports and most mentions, with its own folder first.

import { basename, dirname, join } from "node:path";
import { getLoadedImports, getPackage, isTest, manifests, read, sources } from "../house/sources.ts";

/** Test files that reach a source file only through more imports are left out. */
const distanceMax = 6;
/** True unless it is a slow test of the whole system or of a server cluster. */
const isFast = (file: string) => /^(services|gateway|proto)\//.test(file) && !/\/nats\/cluster\./.test(file);

const folders = new Map([...manifests].map(([folder, { name }]) => [name, folder]));

function getTarget(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return join(file, "..", specifier);
  const [, name = "", path = ""] = /^(@ems\/[^/]+)\/?(.*)$/.exec(specifier) ?? [];
  const folder = folders.get(name);
  if (folder === undefined) return undefined;
  const { exports = {} } = JSON.parse(read(join(folder, "package.json"))) as { exports?: Record<string, string> };
  const target = exports[path === "" ? "." : `./${path}`];
  return typeof target === "string" ? join(folder, target) : undefined;
}

let importers: Map<string, string[]> | undefined;

function getImporters(file: string): readonly string[] {
  if (importers === undefined) {
    importers = new Map();
    for (const each of sources) {
      for (const specifier of getLoadedImports(each)) {
        const target = getTarget(each, specifier);
        if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), each]);
      }
    }
  }
  return importers.get(file) ?? [];
}

/** Counts the places where the test names the file, in any spelling. */
function mentions(test: string, file: string): number {
  const words = basename(file, ".ts").split("-").join(" ?");
  return read(test).replaceAll(/[-_.]/g, " ").match(new RegExp(words, "gi"))?.length ?? 0;
}

/** Returns the nearest test files that can be run, at most `max`. */
export function nearestTests(file: string, max: number, canRun: (test: string) => boolean): string[] {
  const distances = new Map([[file, 0]]);
  for (const [each, distance] of distances) {
    if (distance === distanceMax) continue;
    for (const importer of getImporters(each)) if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  const sibling = file.replace(/\.ts$/, ".test.ts");
  const rank = (test: string) =>
    (test === sibling ? 0 : 100) +
    (dirname(test) === dirname(file) ? 0 : getPackage(test) === getPackage(file) ? 1 : 10) +
    (distances.get(test) ?? 0) -
    Math.log2(1 + mentions(test, file));
  return [...distances.keys()]
    .filter((each) => isTest(each) && isFast(each) && canRun(each))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .slice(0, max);
}
