// Finds a program for tests on any machine: the one in PATH, else Debian's package, fetched once and unpacked
// next to the installed packages. Only for programs that depend on few libraries.

import { execFile } from "node:child_process";
import { access, chmod, constants, cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Next to the installed packages. */
export const cache = join(import.meta.dirname, "../../node_modules/.cache");

export interface Program {
  readonly name: string;
  /** Debian's package of the program. */
  readonly package: string;
  /** Path in the package. */
  readonly path: string;
  /** Packages of libraries that a machine may lack, for `libraryPath`. */
  readonly libraries?: readonly string[];
  /** Advice for a person who has neither. */
  readonly advice: string;
}

/** LD_LIBRARY_PATH for a program with its own libraries. */
export function libraryPath({ name }: Pick<Program, "name">): string {
  return `${cachedPath(name)}-libraries`;
}

function cachedPath(name: string): string {
  return join(cache, `${name}-${process.arch}`);
}

/** Returns the path of the program. Throws with the reason if it is unavailable. */
export async function findProgram(program: Program): Promise<string> {
  const cached = cachedPath(program.name);
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const path of [...folders.map((folder) => join(folder, program.name)), cached]) {
    if (await isExecutable(path)) return path;
  }
  try {
    return await fetchProgram(program, cached);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(
      `The tests need ${program.name}. PATH has none, and Debian's package could not be fetched (${reason}). ` +
        program.advice,
    );
  }
}

async function fetchProgram(program: Program, cached: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, `${program.name}-`));
  try {
    for (const name of [program.package, ...(program.libraries ?? [])]) await download(name, folder);
    const archives = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
    for (const archive of archives) await run("dpkg", ["-x", join(folder, archive), folder]);
    if (program.libraries !== undefined) await keepLibraries(folder, libraryPath(program));
    // A library is not executable in its package.
    await chmod(join(folder, program.path), 0o755);
    // A concurrent test process has put the same program there.
    await rename(join(folder, program.path), cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keepLibraries(folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const files = await readdir(join(folder, "usr/lib"), { recursive: true, withFileTypes: true });
  for (const file of files.filter(({ name }) => name.includes(".so"))) {
    await cp(join(file.parentPath, file.name), join(target, file.name), { dereference: true });
  }
}

async function download(name: string, folder: string): Promise<void> {
  const get = () => run("apt-get", ["download", name], { cwd: folder });
  try {
    await get();
  } catch (error) {
    // A new container has no package lists yet.
    if (process.getuid?.() !== 0) throw error;
    await run("apt-get", ["update"]);
    await get();
  }
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
