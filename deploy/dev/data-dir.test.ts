import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDir } from "./data-dir.ts";
import { readStartTime } from "./process-info.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ems-owner-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const dead = JSON.stringify({ pid: process.pid, startTime: "another time" });

test.for([
  ["missing", {}],
  ["dead", { "owner.json": dead }],
  ["unreadable", { "owner.json": "" }],
  ["dead, with an interrupted takeover", { "owner.json": dead, "owner.json.next": dead }],
] as const)("only one of many concurrent locks gets a directory whose owner is %s", async ([, files]) => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(dataDir, name), content);
  const locks = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dataDir)));
  const refused = locks.flatMap((lock) => (lock.status === "rejected" ? [String(lock.reason)] : []));
  expect(refused).toHaveLength(19);
  expect(new Set(refused)).toEqual(new Set([`Error: ${refusal(process.pid)}`]));
  expect(await readdir(dataDir)).toEqual(["owner.json"]);
});

test("the error names a living owner; after release, the folder is free", async () => {
  const lock = await lockDataDir(dataDir);
  await expect(lockDataDir(dataDir)).rejects.toThrow(refusal(process.pid));
  await lock.release();
  await lockDataDir(dataDir);
});

test("a process is the owner only if pid and start time match", async () => {
  const owner = { pid: process.ppid, startTime: await readStartTime(process.ppid) };
  await writeFile(join(dataDir, "owner.json"), JSON.stringify(owner));
  await expect(lockDataDir(dataDir)).rejects.toThrow(refusal(process.ppid));
  await writeFile(join(dataDir, "owner.json"), JSON.stringify({ ...owner, startTime: "another time" }));
  await lockDataDir(dataDir);
});

function refusal(pid: number): string {
  return `Another run (process ${pid}) is using DATA_DIR ${dataDir}; stop it, or choose another DATA_DIR.`;
}
