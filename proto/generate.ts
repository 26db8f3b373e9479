// `npm run generate`: writes third-party protos, then TypeScript and comments of all protos. `--check` runs buf's lint and
// breaking-change check and compares gen/ with a new generation; `--baseline` renews the breaking-change baseline.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { writeVendor } from "./vendor.ts";

const here = import.meta.dirname;
const root = join(here, "..");

await writeVendor(join(here, "vendor"));
if (process.argv.includes("--baseline")) {
  buf("build", "proto", "-o", "proto/baseline.binpb");
} else if (process.argv.includes("--check")) {
  buf("lint");
  buf("breaking", "proto", "--against", "proto/baseline.binpb");
  const stale = await staleFiles();
  if (stale.length > 0) {
    console.error(`Generated code is stale; run "npm run generate" and commit:\n  ${stale.join("\n  ")}`);
    process.exit(1);
  }
} else {
  rmSync(join(here, "gen"), { recursive: true, force: true });
  generate(".");
}

function generate(out: string): void {
  buf("generate", "--template", "proto/buf.gen.yaml", "-o", out);
}

async function staleFiles(): Promise<string[]> {
  const fresh = mkdtempSync(join(tmpdir(), "ems-generate-"));
  try {
    generate(fresh);
    const [generated, checkedIn] = [read(join(fresh, "proto/gen")), read(join(here, "gen"))];
    const names = new Set([...generated.keys(), ...checkedIn.keys()]);
    return [...names].filter((name) => generated.get(name) !== checkedIn.get(name)).sort();
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

function read(directory: string): Map<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(directory.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

function buf(...args: string[]): void {
  const PATH = [join(here, "node_modules/.bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  execFileSync("buf", args, { cwd: root, stdio: "inherit", env: { ...process.env, PATH } });
}
