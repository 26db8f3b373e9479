// A program for tests, whatever the machine has: the one in PATH, else Debian's package, which is fetched once and unpacked
// beside the installed packages. Only for programs that need nothing but themselves to run.

import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../node_modules/.cache");

export interface Program {
  readonly name: string;
  /** Debian's package that has it. */
  readonly package: string;
  /** Where it lies in the package. */
  readonly path: string;
  /** What a person does who has neither. */
  readonly advice: string;
}

/** The path of the program. Fails with the reason when it cannot be had. */
export async function programOf(program: Program): Promise<string> {
  const cached = join(cache, `${program.name}-${process.arch}`);
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
    await download(program.package, folder);
    const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
    await run("dpkg", ["-x", join(folder, archive), folder]);
    // Whoever was faster has put the same program there.
    await rename(join(folder, program.path), cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download(name: string, folder: string): Promise<void> {
  const get = () => run("apt-get", ["download", name], { cwd: folder });
  try {
    await get();
  } catch (error) {
    // A fresh container has no lists of packages yet.
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
