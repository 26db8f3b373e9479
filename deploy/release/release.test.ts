// Tests the artifacts of a release without the image. test/start/image.nightly.test.ts tests the bill of materials.

import { execFile } from "node:child_process";
import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeRelease } from "./artefacts.ts";
import { helm, newestHelm } from "./helm.ts";
import { readSource } from "./provenance.ts";
import { productVersion, releaseNotes, root } from "./versions.ts";

const run = promisify(execFile);
const version = await productVersion();
let directory: string;
beforeAll(async () => {
  directory = await temporaryDir("ems-release-");
  const what = { version, home: "https://example.com/ems", withImage: false };
  await writeRelease({ ...what, source: await readSource(), directory, print: () => undefined });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const isWhole = () =>
  run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: directory }).then(
    () => true,
    () => false,
  );

test("the packaged chart renders the same manifests as the checkout, with the product's version", async () => {
  const values = ["-n", "ems", "-f", join(root, "test/helm/cases/everything.yaml")];
  const rendered = await Promise.all(
    [join(directory, `ems-${version}.tgz`), join(root, "deploy/helm/ems")].map((chart) =>
      helm(newestHelm, "template", "prod", chart, ...values),
    ),
  );
  const [packed, own] = rendered.map(({ ok, stdout, stderr }) => (ok ? stdout : stderr));
  expect(packed).toContain(`app.kubernetes.io/version: ${version}`);
  expect(packed).toBe(own);
});

test("the chart has the home page that the command names", async () => {
  const { stdout } = await helm(newestHelm, "show", "chart", join(directory, `ems-${version}.tgz`));
  expect(stdout).toContain("home: https://example.com/ems\n");
});

test("checksums and provenance name each artifact, and a changed artifact is detected", async () => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const names = files.map((file) => file.slice(directory.length + 1)).filter((name) => name !== "SHA256SUMS");
  const sums = (await readFile(join(directory, "SHA256SUMS"), "utf8")).trim().split("\n");
  expect(sums.map((line) => line.split("  ")[1]).sort()).toEqual(names.sort());
  const statement = JSON.parse(await readFile(join(directory, "provenance.json"), "utf8"));
  const subjects = statement.subject.map(
    ({ name, digest }: { name: string; digest: { sha256: string } }) => `${digest.sha256}  ${name}`,
  );
  expect(subjects).toEqual(sums.filter((line) => !line.endsWith("  provenance.json")));
  const [{ digest }] = statement.predicate.buildDefinition.resolvedDependencies;
  expect(digest.gitCommit).toMatch(/^[0-9a-f]{40}$/);
  expect(await isWhole()).toBe(true);
  await appendFile(join(directory, "schema/openapi.json"), " ");
  expect(await isWhole()).toBe(false);
});

test("the notes are the changelog's section of the version", async () => {
  const notes = await readFile(join(directory, "NOTES.md"), "utf8");
  expect(notes.trim()).toBe(await releaseNotes(version));
  expect(notes).toMatch(/^### Added\n/);
  expect(await releaseNotes("99.0.0")).toBeUndefined();
});
