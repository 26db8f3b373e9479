// Writes gen/comments.ts (not checked in) if it does not match the current protos. The launcher runs this before tasks.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { commentsDigest, commentsPath, hasComments } from "./comments-inputs.mjs";

const here = import.meta.dirname;
const template = {
  version: "v2",
  inputs: [{ directory: ".", exclude_paths: ["proto/vendor/buf"] }],
  plugins: [{ local: [process.execPath, "proto/comments-plugin.ts"], out: ".", strategy: "all", opt: "target=ts" }],
};

export function writeComments(): void {
  if (hasComments()) return;
  const digest = commentsDigest();
  const out = mkdtempSync(join(tmpdir(), "ems-comments-"));
  try {
    const buf = join(dirname(createRequire(import.meta.url).resolve("@bufbuild/buf/package.json")), "bin/buf");
    execFileSync(process.execPath, [buf, "generate", "--template", JSON.stringify(template), "-o", out], {
      cwd: join(here, ".."),
      stdio: ["ignore", "ignore", "inherit"],
    });
    const text = readFileSync(join(out, "comments.ts"), "utf8");
    // Replace the file atomically, because another task may read it at the same time.
    const draft = `${commentsPath}.${process.pid}`;
    writeFileSync(draft, `// ${digest}\n${text}`);
    renameSync(draft, commentsPath);
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (import.meta.main) writeComments();
