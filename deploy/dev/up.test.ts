import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { readStartTime } from "./process-info.ts";
import { temporaryDir } from "./temporary-dir.ts";

test("Ctrl-C while the mesh is starting leaves neither nats-server nor PostgreSQL running", async () => {
  const dataDir = await temporaryDir("ems-test-up-");
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const env = { DATA_DIR: dataDir, NATS_SERVER: inject("natsServer"), PORT: "0", GRPC_PORT: "0", CONSOLE: "off" };
  const child = spawn(process.execPath, [join(import.meta.dirname, "up.ts"), "mesh"], { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pidIn = async (file: string) =>
    Number.parseInt(await readFile(join(dataDir, file), "utf8").catch(() => ""), 10);
  await expect.poll(() => pidIn("nats/nats.pid"), { timeout: 50_000 }).toBeGreaterThan(0);
  const pids = [await pidIn("nats/nats.pid"), await pidIn("pg/postmaster.pid")];

  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
  for (const pid of pids) await expect.poll(() => readStartTime(pid)).toBeNull();
});
