import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "../free-port.ts";
import { killOnExit } from "../kill-on-exit.ts";
import { until } from "../until.ts";
import { type Account, environment } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { shutDown } from "./shut-down.ts";

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Last lines of the server's log. */
  readonly lastLog: string;
}

export interface Postmaster {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<PostmasterExit>;
  isGone(): boolean;
  stop(): Promise<void>;
}

interface Start {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Variables to add to the environment of PostgreSQL's programs. */
  readonly environment: Readonly<Record<string, string>>;
  readonly onProgress: (sentence: string) => void;
}

// Long, because recovery from the write-ahead log takes minutes on a slow disk.
const readyLimitMs = 15 * 60_000;
const progressEveryMs = 3_000;
const retryLimitMs = 10_000;
const logBytesMax = 10 * 1024 ** 2;
const lastLogBytesMax = 16 * 1024;

// Errors to retry: another program took the port, or a killed server's connections still hold its shared memory.
const transientError = /Address already in use|pre-existing shared memory block/;

export async function startPostmaster(start: Start): Promise<Postmaster> {
  const { size } = await stat(start.logFile).catch(() => ({ size: 0 }));
  if (size > logBytesMax) await truncate(start.logFile);
  const retryUntil = performance.now() + retryLimitMs;
  for (;;) {
    const postmaster = await launch(start, await freePort());
    const isReady = () => isReported(start.cluster.pgDir, postmaster.pid);
    const progress = setInterval(() => void reportWait(start, postmaster.logStart), progressEveryMs);
    await until(async () => postmaster.isGone() || (await isReady()), readyLimitMs).finally(() =>
      clearInterval(progress),
    );
    if (await isReady()) return withLogin(postmaster);

    const hasEnded = postmaster.isGone();
    await postmaster.stop();
    const { lastLog } = await postmaster.exited;
    if (hasEnded && transientError.test(lastLog) && performance.now() < retryUntil) {
      await sleep(200);
      continue;
    }
    const reason = hasEnded ? "ended while starting" : `was not ready within ${readyLimitMs / 1000} s`;
    throw new Error(`The embedded PostgreSQL ${reason}. The end of ${start.logFile}:\n${lastLog}`);
  }
}

async function reportWait({ logFile, onProgress }: Start, logStart: number): Promise<void> {
  const lastLine = (await lastLines(logFile, logStart)).split("\n").at(-1);
  onProgress(`Waiting for PostgreSQL to start. ${lastLine ? `Its log: ${lastLine}` : `Its log is ${logFile}.`}`);
}

async function launch(start: Start, port: number): Promise<Postmaster & { readonly logStart: number }> {
  const { cluster, binaries, account, logFile, settings } = start;
  const fixed = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "" };
  const switches = Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [...account.wrapper, binaries.postgres, "-D", cluster.pgDir, ...switches];
  const [program = binaries.postgres, ...args] = server;

  await using log = await open(logFile, "a", 0o600);
  await account.chown(logFile);
  const { size: logStart } = await log.stat();
  const child = spawn(program, args, {
    ...account.ids,
    env: { ...environment, ...start.environment },
    // Use a separate process group, because a terminal's Ctrl-C must not stop the server before its clients.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  await once(child, "spawn");
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} was started and has no pid.`);

  killOnExit(child, "SIGINT");
  const exited = once(child, "exit").then(async ([code, signal]): Promise<PostmasterExit> => {
    return { code, signal, lastLog: await lastLines(logFile, logStart) };
  });
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  return { url, pid, exited, isGone, logStart, stop: () => shutDown(pid, isGone) };
}

// Checks readiness like pg_ctl: line 8 of the pid file is the server's state.
async function isReported(pgDir: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(pgDir, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

// Logs in once, so that a password file from another cluster fails at the start, not at first use.
async function withLogin(postmaster: Postmaster): Promise<Postmaster> {
  const client = new Client({ connectionString: postmaster.url });
  // An unhandled error event would end the process. connect() and end() already report the error.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return postmaster;
  } catch (cause) {
    await postmaster.stop();
    throw new Error("The embedded PostgreSQL runs but rejects its superuser's password.", { cause });
  }
}

async function lastLines(logFile: string, start: number): Promise<string> {
  await using log = await open(logFile);
  const { size } = await log.stat();
  const position = Math.max(start, size - lastLogBytesMax);
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(lastLogBytesMax), position });
  return buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n").slice(-20).join("\n");
}
