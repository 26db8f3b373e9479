// A nats-server for tests, whatever the machine has: the one in PATH, else Debian's package, which is fetched once and
// unpacked beside the installed packages. It needs nothing but itself to run.

import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../node_modules/.cache");
const cached = join(cache, `nats-server-${process.arch}`);

/** For projects whose tests start servers of their own. */
export default async function setup({ provide }: TestProject): Promise<void> {
  provide("natsServer", await natsServerBinary());
}

/** The path of a nats-server. Fails with the reason when none can be had. */
export async function natsServerBinary(): Promise<string> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const path of [...folders.map((folder) => join(folder, "nats-server")), cached]) {
    if (await isExecutable(path)) return path;
  }
  try {
    return await fetchBinary();
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(
      `The tests need a nats-server. PATH has none, and Debian's package could not be fetched (${reason}). ` +
        "Install nats-server 2.9 or later, from https://nats.io or your system's packages, so that PATH has it.",
    );
  }
}

async function fetchBinary(): Promise<string> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "nats-"));
  try {
    await download(folder);
    const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
    await run("dpkg", ["-x", join(folder, archive), folder]);
    // Whoever was faster has put the same program there.
    await rename(join(folder, "usr/sbin/nats-server"), cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download(folder: string): Promise<void> {
  const get = () => run("apt-get", ["download", "nats-server"], { cwd: folder });
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
