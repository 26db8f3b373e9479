// `npm run generate` writes third-party protos, then TypeScript and comments of all protos. `--check` runs buf's lint and
// breaking-change check and compares the output instead. `--baseline` renews the baseline of that check, with a release.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { baselineVersion } from "./baseline.ts";
import { publishedSchema } from "./publish/strip.ts";
import { vendorFiles, writeVendor } from "./vendor.ts";
import { writeComments } from "./write-comments.ts";

/**
 * `Trace.total_cost` has explicit presence since unknown costs are null. The wire is unchanged, and so is the JSON of known
 * costs.
 */
const breakingRules = {
  version: "v1",
  breaking: { use: ["FILE"], ignore_only: { FIELD_SAME_CARDINALITY: ["ems/experiments/v1/trace.proto"] } },
};

const here = import.meta.dirname;
const root = join(here, "..");
const PATH = [join(here, "node_modules/.bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH };

const vendor = vendorFiles(env);
if (process.argv.includes("--baseline")) {
  renewBaseline();
} else if (process.argv.includes("--check")) {
  buf("lint");
  checkBreaking();
  const stale = [...listStaleFiles("vendor", vendor), ...listStaleFiles("gen", generateFresh())];
  if (stale.length > 0) {
    console.error(`Generated code is stale; run "npm run generate" and commit:\n  ${stale.join("\n  ")}`);
    process.exit(1);
  }
} else {
  writeVendor(join(here, "vendor"), vendor);
  rmSync(join(here, "gen"), { recursive: true, force: true });
  generate(".");
  writeComments();
}

/** Returns the published schema of the current protos. */
function buildPublished(): Uint8Array {
  const args = ["build", "proto", "--as-file-descriptor-set", "-o", "-"];
  const image = execFileSync("buf", args, { cwd: root, env, maxBuffer: 2 ** 28 });
  return toBinary(FileDescriptorSetSchema, publishedSchema(fromBinary(FileDescriptorSetSchema, image)));
}

function checkBreaking(): void {
  const directory = mkdtempSync(join(tmpdir(), "ems-breaking-"));
  try {
    const path = join(directory, "published.binpb");
    writeFileSync(path, buildPublished());
    buf("breaking", path, "--against", "proto/baseline.binpb", "--config", JSON.stringify(breakingRules));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function renewBaseline(): void {
  const path = join(here, "baseline.json");
  const { version: baseline }: { version: string } = JSON.parse(readFileSync(path, "utf8"));
  const { version }: { version: string } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const renewed = baselineVersion(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, baseline);
  writeFileSync(join(here, "baseline.binpb"), buildPublished());
  writeFileSync(path, `{ "version": ${JSON.stringify(renewed)} }\n`);
}

function generate(out: string): void {
  buf("generate", "--template", "proto/buf.gen.yaml", "-o", out);
}

function generateFresh(): Map<string, string> {
  const fresh = mkdtempSync(join(tmpdir(), "ems-generate-"));
  try {
    generate(fresh);
    return read(join(fresh, "proto/gen"));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

function listStaleFiles(folder: string, fresh: ReadonlyMap<string, string>): string[] {
  const checkedIn = read(join(here, folder));
  // Built and not checked in.
  checkedIn.delete("comments.ts");
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
