// `npm run schema [-- --out DIR]`: writes this version's schema artifacts for a release.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "@ems/proto/package.json" with { type: "json" };
import { descriptorSet, eventFiles, npmPackage, openApi, protoTree, writeTree } from "./artefacts.ts";

/** File names of the artifacts. */
export const artefacts = {
  tree: "proto",
  descriptors: "ems.binpb",
  npm: `ems-proto-${manifest.version}.tgz`,
  openApi: "openapi.json",
  events: "events",
};

export function writeArtefacts(directory: string): void {
  const { version } = manifest;
  const path = (name: string) => join(directory, name);
  // Remove artifacts that earlier versions left in the directories.
  for (const name of [artefacts.tree, artefacts.events]) rmSync(path(name), { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeTree(path(artefacts.tree), protoTree());
  descriptorSet(path(artefacts.tree), path(artefacts.descriptors));
  npmPackage(path(artefacts.tree), version, path(artefacts.npm));
  writeFileSync(path(artefacts.openApi), openApi(version));
  writeTree(path(artefacts.events), eventFiles());
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string", default: "dist/schema" } } });
  const directory = resolve(values.out);
  writeArtefacts(directory);
  for (const name of Object.values(artefacts)) process.stdout.write(`${join(directory, name)}\n`);
}
