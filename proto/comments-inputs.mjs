// Computes the digest of the inputs of gen/comments.ts. The first line of that file contains the digest.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const commentsPath = join(here, "gen/comments.ts");

/** Returns the digest of the inputs. Plain JavaScript, because the launcher calls it on any Node version. */
export function commentsDigest() {
  const hash = createHash("sha256");
  const files = readdirSync(join(here, "ems"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith(".proto"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const file of [...files.sort(), join(here, "comments-plugin.ts"), join(here, "limits.ts")]) {
    hash.update(`\n${file.slice(here.length)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** Returns true if gen/comments.ts matches the current inputs. */
export function hasComments() {
  try {
    return readFileSync(commentsPath, "utf8").startsWith(`// ${commentsDigest()}\n`);
  } catch {
    return false;
  }
}
