// Runs one process of the mesh as a child process: start, readiness, stop.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getMainModule, type ProcessName } from "@ems/deploy/mesh";
import { runtimeEnvironment } from "@ems/deploy/runtime";
import type { Listening } from "@ems/kit/lifecycle";
import { writeLog } from "@ems/kit/log";
import type { Environment } from "./environment.ts";
import { killOnExit } from "./kill-on-exit.ts";

const root = join(import.meta.dirname, "../..");
const readyMs = 60_000;
/** Time after SIGTERM until SIGKILL. Longer than the process's own shutdown budget. */
const stopMs = 30_000;
/** Number of bytes kept from the end of stderr, to find the reason why the process exited. */
const reasonBytes = 16_384;

export interface Child {
  readonly name: ProcessName;
  readonly process: ChildProcess;
  /** Resolves with name and reason when the process has ended. */
  readonly ended: Promise<string>;
}

/** Starts the process; call `ready` to wait until it is ready. Its output goes to `write`, by default to our log. */
export function startChild(name: ProcessName, env: Environment, write: (chunk: Buffer) => void = writeLog): Child {
  // Over IPC, the child reports its ports. A disconnect signals to the child that this process was killed.
  const child = spawn(process.execPath, [join(root, getMainModule(name))], {
    env: { ...runtimeEnvironment, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  killOnExit(child, "SIGTERM");
  let output = "";
  child.stdout?.on("data", write);
  child.stderr?.on("data", (chunk: Buffer) => {
    write(chunk);
    output = (output + chunk).slice(-reasonBytes);
  });
  const ended = once(child, "close").then(([code, signal]) => {
    const how = signal === null ? `with exit code ${code}` : `killed by ${signal}`;
    const reason = signal === null ? findReason(output) : "";
    return `${name} (process ${child.pid}) ended, ${how}${reason && `: ${reason}`}`;
  });
  return { name, process: child, ended };
}

/** Returns the line with the reason why the start failed, even if log lines follow it; otherwise the last line. */
function findReason(output: string): string {
  const lines = output.trimEnd().split("\n");
  return lines.find((line) => line.includes(" cannot start: ")) ?? lines.at(-1) ?? "";
}

/** Resolves when the process has reported its ports and its readiness probe succeeds. */
export async function ready({ name, process: child, ended }: Child): Promise<Listening> {
  let endReason: string | undefined;
  void ended.then((reason) => {
    endReason = reason;
  });
  let listening: Listening | undefined;
  // The process sends a single message: its ports.
  child.once("message", (message) => {
    listening = message as Listening;
  });
  for (const untilMs = Date.now() + readyMs; Date.now() < untilMs; await delay(25)) {
    if (endReason !== undefined) throw new Error(endReason);
    if (listening === undefined) continue;
    const url = `${listening.adminUrl}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (response?.ok) return listening;
  }
  throw new Error(`${name} was not ready within ${readyMs / 1000} s`);
}

/** Stops the process with SIGTERM. If it still runs after its shutdown budget, sends SIGKILL. */
export async function stopChild({ process: child, ended }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await ended;
  clearTimeout(timer);
}
