import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the file in which a running installation stores its process id and database URL for commands. */
export function runningFile(dataDir: string): string {
  return join(dataDir, "running.json");
}

/** Reads the administrator's database URL of a running installation. */
export async function runningUrl(dataDir: string): Promise<string | undefined> {
  const text = await readFile(runningFile(dataDir), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { pid, adminUrl } = JSON.parse(text) as { pid: number; adminUrl: string };
  try {
    process.kill(pid, 0);
    return adminUrl;
  } catch {
    // The process that wrote the file was killed.
    return undefined;
  }
}
