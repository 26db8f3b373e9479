import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDataDir } from "./data-dir.ts";
import { startTimeOf } from "./process-info.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ems-owner-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const dead = JSON.stringify({ pid: process.pid, startTime: "another time" });

test.for([
  ["nobody's", {}],
  ["a dead process's", { "owner.json": dead }],
  ["nobody's that can be read", { "owner.json": "" }],
  ["a dead process's, whose dead successor got half way", { "owner.json": dead, "owner.json.next": dead }],
] as const)("of many claims at the same instant one wins a folder that is %s", async ([, files]) => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(dataDir, name), content);
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimDataDir(dataDir)));
  const refused = claims.flatMap((claim) => (claim.status === "rejected" ? [String(claim.reason)] : []));
  expect(refused).toHaveLength(19);
  expect(new Set(refused)).toEqual(new Set([`Error: ${refusal(process.pid)}`]));
  expect(await readdir(dataDir)).toEqual(["owner.json"]);
});

test("a living owner is named, and once released the folder is free", async () => {
  const claim = await claimDataDir(dataDir);
  await expect(claimDataDir(dataDir)).rejects.toThrow(refusal(process.pid));
  await claim.release();
  await claimDataDir(dataDir);
});

test("another process is the owner only when pid and start time are its own", async () => {
  const owner = { pid: process.ppid, startTime: await startTimeOf(process.ppid) };
  await writeFile(join(dataDir, "owner.json"), JSON.stringify(owner));
  await expect(claimDataDir(dataDir)).rejects.toThrow(refusal(process.ppid));
  await writeFile(join(dataDir, "owner.json"), JSON.stringify({ ...owner, startTime: "another time" }));
  await claimDataDir(dataDir);
});

function refusal(pid: number): string {
  return `Another run (process ${pid}) is using DATA_DIR ${dataDir}; stop it, or choose another DATA_DIR.`;
}
