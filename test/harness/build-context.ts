// The build context of the container image, without an engine: the files of a clean clone that deploy/Dockerfile.dockerignore
// includes, and the links of `pnpm install --prod`.

import { execFile } from "node:child_process";
import { copyFile, lstat, mkdir, readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import dockerignore from "@balena/dockerignore";

const root = join(import.meta.dirname, "../..");

/** Sorted paths of the repository's files in the build context. */
export async function contextFiles(): Promise<string[]> {
  // Includes new files before they are committed; excludes deleted ones, which git still lists.
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await promisify(execFile)("git", listing, { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  const rules = await readFile(join(root, "deploy/Dockerfile.dockerignore"), "utf8");
  const sent = dockerignore.default().add(rules).filter(stdout.split("\0").filter(Boolean));
  const present = await Promise.all(sent.map((file) => lstat(join(root, file)).then(Boolean, () => false)));
  return [...new Set(sent.filter((_, index) => present[index]))].sort();
}

/** Writes the context to `target`. Packages see only their own production dependencies. */
export async function layOutContext(target: string): Promise<void> {
  const files = await contextFiles();
  for (const folder of new Set(files.map(dirname))) await mkdir(join(target, folder), { recursive: true });
  await Promise.all(files.map((file) => copyFile(join(root, file), join(target, file))));
  await mkdir(join(target, "node_modules"), { recursive: true });
  await symlink(join(root, "node_modules/.pnpm"), join(target, "node_modules/.pnpm"));
  const packages = files.filter((file) => file.endsWith("/package.json")).map(dirname);
  for (const folder of packages) await linkDependencies(folder, target);
}

async function linkDependencies(folder: string, target: string): Promise<void> {
  // Packages of examples are not in the workspace.
  const { name: own, dependencies = {} } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
  if (!own.startsWith("@ems/")) return;
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(join(target, link)), { recursive: true });
    await symlink(await readlink(join(root, link)), join(target, link));
  }
}
