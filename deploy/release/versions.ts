// The product's version. A release must change it in all files that contain it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Files that contain the version, each with the pattern that finds it. */
const places: Readonly<Record<string, RegExp>> = {
  "package.json": /"version": "(.+?)"/,
  "proto/package.json": /"version": "(.+?)"/,
  "deploy/cli/package.json": /"version": "(.+?)"/,
  "deploy/Dockerfile": /^ARG VERSION=(.+)$/m,
  "deploy/helm/ems/Chart.yaml": /^version: (.+)$/m,
  "deploy/helm/ems/Chart.yaml, appVersion": /^appVersion: (.+)$/m,
};

/** Returns the product's version. Throws if the files contain different versions. */
export async function productVersion(): Promise<string> {
  const stated = await Promise.all(
    Object.entries(places).map(async ([place, pattern]) => {
      const text = await readFile(join(root, place.split(",")[0] ?? ""), "utf8");
      return { place, version: pattern.exec(text)?.[1] ?? "none" };
    }),
  );
  const [first] = stated;
  const version = first?.version ?? "";
  const differing = stated.filter((entry) => entry.version !== version);
  if (differing.length === 0) return version;
  const list = differing.map((entry) => `${entry.place} says ${entry.version}`).join(", ");
  throw new Error(`package.json says version ${version}, but ${list}.`);
}

/** Returns the changelog's section for a version; undefined if the changelog has no such heading. */
export async function releaseNotes(version: string): Promise<string | undefined> {
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const sections = changelog.split(/^(?=## \[)/m);
  const section = sections.find((candidate) => candidate.startsWith(`## [${version}] - `));
  return section?.slice(section.indexOf("\n")).trim();
}
