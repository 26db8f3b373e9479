// Writes SHA256SUMS for a directory, in the format that sha256sum writes and checks.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

export interface Checksum {
  /** Path relative to the directory, with slashes. */
  readonly name: string;
  readonly sha256: string;
}

/** Returns the checksum of each file in the directory, by name. */
export async function checksums(directory: string): Promise<Checksum[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sums: Checksum[] = [];
  for (const path of paths.sort()) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    sums.push({ name: relative(directory, path).split(sep).join("/"), sha256: hash.digest("hex") });
  }
  return sums;
}

export function checksumText(sums: readonly Checksum[]): string {
  return sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}
