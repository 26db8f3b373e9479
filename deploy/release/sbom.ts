// Software bill of materials of the image (CycloneDX). pnpm creates it; packages that are not in the image are removed.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./versions.ts";

interface Component {
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
}

export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Formats a package as `@scope/name 1.2.3`. */
export const formatPackage = ({ group, name, version }: Component) => `${group ? `${group}/` : ""}${name} ${version}`;

/** Returns the bill of the packages in `licenses`, the image's license file. Throws if one is not in the lockfile. */
export async function imageSbom(licenses: string, file: string): Promise<Sbom> {
  const filter = ["--prod", "--filter", "@ems/image..."];
  const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const launcher = await readFile(join(root, "deploy/run.mjs"), "utf8");
  const [pnpm = ""] = /pnpm@[\d.]+/.exec(launcher) ?? [];
  const args = ["--yes", pnpm, "sbom", "--lockfile-only", ...filter, ...format, "--out", file];
  await promisify(execFile)("npx", args, { cwd: root });
  const whole: Sbom = JSON.parse(await readFile(file, "utf8"));
  const packages = packagesIn(licenses);
  const components = whole.components.filter((component) => packages.has(formatPackage(component)));
  const missing = [...packages].filter((name) => !components.some((component) => formatPackage(component) === name));
  if (missing.length > 0) throw new Error(`The lockfile lacks packages of the image: ${missing.join(", ")}.`);
  const refs = new Set([whole.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...whole, components, dependencies };
}

/** Returns the packages in the license file's headings: `name version (license)`, or `## name - version (license)`. */
function packagesIn(licenses: string): ReadonlySet<string> {
  const headings = licenses.matchAll(/^(?:## )?((?:@[\w.-]+\/)?[\w.-]+)(?: -)? (\d+\.\d+\.\d+\S*) \(.*\)$/gm);
  return new Set([...headings].map(([, name, version]) => `${name} ${version}`));
}
