// Describes the artifacts' provenance (sources and tools) as an in-toto statement in SLSA format, to be signed.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Checksum } from "./checksums.ts";
import { root } from "./versions.ts";

const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: root })).stdout.trim();

export interface Source {
  readonly commit: string;
  /** True if the files in the working tree are the same as in the commit. */
  readonly isClean: boolean;
}

export async function readSource(): Promise<Source> {
  return { commit: await git("rev-parse", "HEAD"), isClean: (await git("status", "--porcelain")) === "" };
}

export function provenance(version: string, source: Source, sums: readonly Checksum[], helm: string) {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: sums.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "npm run release",
        externalParameters: { version },
        internalParameters: { isClean: source.isClean },
        resolvedDependencies: [{ name: "source", digest: { gitCommit: source.commit } }],
      },
      runDetails: {
        builder: { id: "npm run release", version: { node: process.version, helm } },
      },
    },
  };
}
