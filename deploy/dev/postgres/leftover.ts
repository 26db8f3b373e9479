import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { commandLineOf } from "../process-info.ts";
import { shutDown } from "./shut-down.ts";

/**
 * Stops the server that a run left behind when it was killed hard. Its pid file goes in any case: should the pid have come
 * to belong to another process, or the file be broken, PostgreSQL would not start. The caller owns the data folder.
 */
export async function stopLeftover(pgDir: string, onProgress: (sentence: string) => void): Promise<void> {
  const file = join(pgDir, "postmaster.pid");
  const content = await readFile(file, "utf8").catch(() => "");
  const pid = Number.parseInt(content, 10);
  const isServing = async () => pid > 0 && (await isPostmaster(pid, pgDir));
  if (await isServing()) {
    onProgress(`Stopping the PostgreSQL server (process ${pid}) that an earlier run left behind…`);
    await shutDown(pid, async () => !(await isServing()));
  }
  await rm(file, { force: true });
}

async function isPostmaster(pid: number, pgDir: string): Promise<boolean> {
  const commandLine = await commandLineOf(pid);
  return commandLine.includes("postgres") && `${commandLine} `.includes(` -D ${pgDir} `);
}
