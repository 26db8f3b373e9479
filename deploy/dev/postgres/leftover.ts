import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readCommandLineArguments } from "../process-info.ts";
import { shutDown } from "./shut-down.ts";

/**
 * Stops the server left over from a killed run and removes its pid file. PostgreSQL does not start if that file is
 * broken, or if another process now has its pid. The caller must hold the lock on the data directory.
 */
export async function stopLeftover(pgDir: string, onProgress: (sentence: string) => void): Promise<void> {
  const file = join(pgDir, "postmaster.pid");
  const content = await readFile(file, "utf8").catch(() => "");
  const pid = Number.parseInt(content, 10);
  const isServing = async () => pid > 0 && (await isPostmaster(pid, pgDir));
  if (await isServing()) {
    onProgress(`Stopping the PostgreSQL server (process ${pid}) of an earlier run…`);
    await shutDown(pid, async () => !(await isServing()));
  }
  await rm(file, { force: true });
}

async function isPostmaster(pid: number, pgDir: string): Promise<boolean> {
  const commandLine = await readCommandLineArguments(pid);
  return commandLine.includes("postgres") && `${commandLine} `.includes(` -D ${pgDir} `);
}
