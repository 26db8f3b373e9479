import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The file in which a running installation stores its process id and its database's URL, for short commands. */
export function runningFile(dataDir: string): string {
  return join(dataDir, "running.json");
}

/** The URL of a running installation's database, as its administrator. */
export async function runningUrl(dataDir: string): Promise<string | undefined> {
  const text = await readFile(runningFile(dataDir), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { pid, adminUrl } = JSON.parse(text) as { pid: number; adminUrl: string };
  try {
    process.kill(pid, 0);
    return adminUrl;
  } catch {
    // Left by a run that was killed.
    return undefined;
  }
}
