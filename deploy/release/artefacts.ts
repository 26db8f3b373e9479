// Writes the artifacts of a release to a directory: chart, the image's file tree and its bill of materials, schema,
// release notes, checksums and provenance.

import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeArtefacts } from "@ems/dev/schema";
import { buildImage } from "@ems/image/build";
import { checksums, checksumText } from "./checksums.ts";
import { helm, newestHelm } from "./helm.ts";
import { provenance, type Source } from "./provenance.ts";
import { imageSbom } from "./sbom.ts";
import { releaseNotes, root } from "./versions.ts";

const run = promisify(execFile);

export interface Release {
  readonly version: string;
  readonly source: Source;
  /** Directory to write to, which must be empty or missing. */
  readonly directory: string;
  /** URL of the chart's home page. Must be passed, because the repository has no public address. */
  readonly home: string | undefined;
  /** False to omit the image and, because it depends on the image, the bill of materials. */
  readonly withImage: boolean;
  readonly print: (line: string) => void;
}

export async function writeRelease({ version, source, directory, home, withImage, print }: Release): Promise<void> {
  const file = (name: string) => join(directory, name);
  await mkdir(directory, { recursive: true });
  await packChart(directory, home);
  print(`ems-${version}.tgz`);
  if (withImage) {
    const licenses = await packImage(directory, version);
    print(`ems-image-${version}.tar.gz`);
    const bill = file(`ems-image-${version}.cdx.json`);
    await writeFile(bill, `${JSON.stringify(await imageSbom(licenses, bill), null, 1)}\n`);
    print(`ems-image-${version}.cdx.json`);
  }
  writeArtefacts(file("schema"));
  print("schema/");
  await writeFile(file("NOTES.md"), `${(await releaseNotes(version)) ?? "Not released yet."}\n`);
  const statement = provenance(version, source, await checksums(directory), newestHelm);
  await writeFile(file("provenance.json"), `${JSON.stringify(statement, null, 2)}\n`);
  await writeFile(file("SHA256SUMS"), checksumText(await checksums(directory)));
  print("NOTES.md\nprovenance.json\nSHA256SUMS");
}

async function packChart(directory: string, home: string | undefined): Promise<void> {
  const chart = join(directory, "chart");
  try {
    await cp(join(root, "deploy/helm/ems"), chart, { recursive: true });
    if (home !== undefined) await appendFile(join(chart, "Chart.yaml"), `home: ${JSON.stringify(home)}\n`);
    const { ok, stdout, stderr } = await helm(newestHelm, "package", chart, "--destination", directory);
    if (!ok) throw new Error(`helm package: ${stdout}${stderr}`);
  } finally {
    await rm(chart, { recursive: true, force: true });
  }
}

/** Packs the image's file tree as a reproducible layer: sorted, without owners and times. Returns its licenses. */
async function packImage(directory: string, version: string): Promise<string> {
  const tree = join(directory, "image");
  try {
    await buildImage(tree);
    const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--format=ustar"];
    const tar = ["-C", tree, ...fixed, "--use-compress-program=gzip -n -1"];
    await run("tar", [...tar, "-cf", join(directory, `ems-image-${version}.tar.gz`), "."]);
    return await readFile(join(tree, "app/THIRD-PARTY-LICENSES"), "utf8");
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
