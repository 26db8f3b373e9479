// `npm run generate`: writes third-party protos, then TypeScript, comments and the published schema of all protos. `--check` runs
// buf's lint and breaking-change check and compares instead; `--baseline` renews the breaking-change baseline.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { vendorFiles, writeVendor } from "./vendor.ts";

const here = import.meta.dirname;
const root = join(here, "..");
const PATH = [join(here, "node_modules/.bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH };

const vendor = vendorFiles(env);
if (process.argv.includes("--baseline")) {
  buf("build", "proto", "-o", "proto/baseline.binpb");
} else if (process.argv.includes("--check")) {
  buf("lint");
  buf("breaking", "proto", "--against", "proto/baseline.binpb");
  const stale = [...different("vendor", vendor), ...different("gen", generated())];
  if (stale.length > 0) {
    console.error(`Generated code is stale; run "npm run generate" and commit:\n  ${stale.join("\n  ")}`);
    process.exit(1);
  }
} else {
  writeVendor(join(here, "vendor"), vendor);
  rmSync(join(here, "gen"), { recursive: true, force: true });
  generate(".");
}

function generate(out: string): void {
  buf("generate", "--template", "proto/buf.gen.yaml", "-o", out);
}

function generated(): Map<string, string> {
  const fresh = mkdtempSync(join(tmpdir(), "ems-generate-"));
  try {
    generate(fresh);
    return read(join(fresh, "proto/gen"));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

function different(folder: string, fresh: ReadonlyMap<string, string>): string[] {
  const checkedIn = read(join(here, folder));
  const names = new Set([...fresh.keys(), ...checkedIn.keys()]);
  const stale = [...names].filter((name) => fresh.get(name) !== checkedIn.get(name));
  return stale.map((name) => `${folder}/${name}`).sort();
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
  execFileSync("buf", args, { cwd: root, stdio: "inherit", env });
}
