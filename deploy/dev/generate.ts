// `npm run generate`: writes code from protos, then other generated files. `--check` compares them and lints protos.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
execFileSync(process.execPath, [join(root, "proto/generate.ts"), ...args], { cwd: root, stdio: "inherit" });
// Import only after generation, because the API's codec imports the generated code.
const { generated, staleFiles } = await import("./generated-files.ts");
if (!args.includes("--check")) {
  for (const [path, content] of Object.entries(await generated())) writeFileSync(path, content);
} else {
  const stale = await staleFiles();
  if (stale.length > 0) {
    console.error(`Generated files are out of date; run "npm run generate" and commit:\n  ${stale.join("\n  ")}`);
    process.exit(1);
  }
}
