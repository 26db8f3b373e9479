// The files that gen/comments.ts is made of, as a digest that its first line has. Plain JavaScript: the launcher asks on any Node.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const commentsPath = join(here, "gen/comments.ts");

/** The digest of what the comments are made of. */
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

/** Returns true when gen/comments.ts is made of the present files. */
export function hasComments() {
  try {
    return readFileSync(commentsPath, "utf8").startsWith(`// ${commentsDigest()}\n`);
  } catch {
    return false;
  }
}
