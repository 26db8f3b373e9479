// One run to a data folder. `owner.json` names the process that uses it; the file of a dead process is taken over.

import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startTimeOf } from "./process-info.ts";

export interface Claim {
  release(): Promise<void>;
}

export async function claimDataDir(dataDir: string): Promise<Claim> {
  const file = join(dataDir, "owner.json");
  const self = JSON.stringify({ pid: process.pid, startTime: await startTimeOf(process.pid) });
  await claim(file, self, dataDir);
  return { release: () => rm(file, { force: true }) };
}

// Written aside and linked into place: of two at the same instant one fails, and nobody ever reads half a file.
async function claim(file: string, self: string, dataDir: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, self);
  try {
    while (!(await isLinked(draft, file))) {
      const owner = await contentOf(file);
      if (owner === null) continue;
      const pid = await livingPid(owner);
      if (pid !== null) {
        throw new Error(
          `Another run (process ${pid}) is using DATA_DIR ${dataDir}; stop it, or choose another DATA_DIR.`,
        );
      }
      // Only one may replace the dead: who claims the succession, which may itself have been left by a dead one. Whoever
      // claims it late finds that the owner has changed.
      const succession = `${file}.next`;
      await claim(succession, self, dataDir);
      try {
        if ((await contentOf(file)) === owner) return await rename(draft, file);
      } finally {
        await rm(succession, { force: true });
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function isLinked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function contentOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

async function livingPid(owner: string): Promise<number | null> {
  const named = /^\{"pid":(?<pid>\d+),"startTime":"(?<startTime>[^"]+)"\}$/.exec(owner)?.groups;
  // What cannot be read was being written when the machine went down.
  if (named === undefined) return null;
  const pid = Number(named.pid);
  return (await startTimeOf(pid)) === named.startTime ? pid : null;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
