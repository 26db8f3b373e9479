// `node deploy/image/build.ts OUT` builds the file tree of the container image: OUT/app (a bundle per command, and shared
// chunks) and OUT/usr/local/bin/node. The Dockerfile copies only that tree; a test runs the product in it.

import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildConsole } from "@ems/console/build";
import { commands } from "@ems/deploy/commands";
import { processNames } from "@ems/deploy/mesh";
import { bundle, root } from "./bundle.ts";
import { imageEnvironment } from "./environment.ts";
import { licenses } from "./licenses.ts";

/** Builds the tree in `out`, which must be empty or missing. Returns the paths of the bundled sources. */
export async function buildImage(out: string): Promise<string[]> {
  const app = join(out, "app");
  const sources = await bundle(["deploy/main.ts", ...Object.values(commands).map(({ module }) => module)], app);
  await writeFile(join(app, "package.json"), '{ "type": "module" }\n');
  const consoleLicenses = await copyConsole(join(app, "gateway/console/dist"));
  await writeFile(join(app, "THIRD-PARTY-LICENSES"), `${await licenses(sources)}\n${consoleLicenses}`);
  // Include the example environment file, which the image's `secrets` command fills in.
  await copyFile(join(root, "deploy/compose.env.example"), join(app, "deploy/compose.env.example"));
  const node = join(out, "usr/local/bin/node");
  await mkdir(dirname(node), { recursive: true });
  await copyFile(await realpath(process.execPath), node);
  await fillCompileCache(out);
  await makeReadable(out);
  return sources;
}

/** Copies the web console's files. Returns the licenses of their libraries. */
async function copyConsole(target: string): Promise<string> {
  const built = await buildConsole();
  await mkdir(target, { recursive: true });
  await copyFile(join(built, "index.html"), join(target, "index.html"));
  await cp(join(built, "console"), join(target, "console"), { recursive: true });
  return readFile(join(built, "licenses.md"), "utf8");
}

/** Runs every process without a configuration. Before it exits with an error, it loads and caches all compiled code. */
async function fillCompileCache(out: string): Promise<void> {
  const env = await imageEnvironment();
  const [node, entry] = [join(out, "usr/local/bin/node"), join(out, "app/deploy/main.js")];
  const NODE_COMPILE_CACHE = join(out, env.NODE_COMPILE_CACHE ?? "");
  for (const command of [...processNames, "prepare"]) {
    const options = { env: { ...env, NODE_COMPILE_CACHE } };
    const message = await promisify(execFile)(node, [entry, command], options).then(
      () => "nothing",
      ({ stderr }: { stderr: string }) => stderr,
    );
    if (!message.includes("The configuration cannot be used"))
      throw new Error(`${command} should have rejected its configuration, but printed: ${message}`);
  }
}

/** Makes the tree readable by all and writable by its owner, regardless of the builder's umask. */
async function makeReadable(out: string): Promise<void> {
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() || path.endsWith("/bin/node") ? 0o755 : 0o644);
  }
}

if (import.meta.main) {
  const [out = "image"] = process.argv.slice(2);
  await buildImage(resolve(out));
}
