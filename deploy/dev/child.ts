// One process of the mesh as a child of this one: started, awaited until it is ready, ended.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { mainOf, type ProcessName } from "@ems/deploy/mesh";
import { runtimeEnvironment } from "@ems/deploy/runtime";
import type { Listening } from "@ems/kit/listening";
import type { Environment } from "./environment.ts";

const root = join(import.meta.dirname, "../..");
/** A process that is not ready by then never will be. */
const readyMs = 60_000;
/** A process is given the whole of its own shutdown budget, and a little. */
const stopMs = 30_000;

export interface Child {
  readonly name: ProcessName;
  readonly process: ChildProcess;
  /** Settles when the process ended; says which and why. */
  readonly ended: Promise<string>;
}

/** Starts the process; `ready` tells when it can be asked. What it writes goes to `write`. */
export function startChild(
  name: ProcessName,
  env: Environment,
  write: (chunk: Buffer) => void = (chunk) => void process.stderr.write(chunk),
): Child {
  // Over the fourth channel the child tells where it listens, and its end tells the child that this process was killed.
  const child = spawn(process.execPath, [join(root, mainOf(name))], {
    env: { ...runtimeEnvironment, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  let lastLine = "";
  child.stdout?.on("data", write);
  child.stderr?.on("data", (chunk: Buffer) => {
    write(chunk);
    lastLine = chunk.toString().trimEnd().split("\n").at(-1) ?? lastLine;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    const how = signal === null ? `with exit code ${code}` : `killed by ${signal}`;
    return `${name} (process ${child.pid}) ended, ${how}${lastLine && signal === null ? `: ${lastLine}` : ""}`;
  });
  return { name, process: child, ended };
}

/** Waits until the process has told where it listens, and is ready there. */
export async function ready({ name, process: child, ended }: Child): Promise<Listening> {
  let over: string | undefined;
  void ended.then((why) => {
    over = why;
  });
  let listening: Listening | undefined;
  // The one message that a process of ours sends.
  child.once("message", (message) => {
    listening = message as Listening;
  });
  for (const untilMs = Date.now() + readyMs; Date.now() < untilMs; await delay(25)) {
    if (over !== undefined) throw new Error(over);
    if (listening === undefined) continue;
    const url = `${listening.adminUrl}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok) return listening;
  }
  throw new Error(`${name} was not ready within ${readyMs / 1000} s`);
}

/** Asks the process to stop and waits until it has; past its budget it is killed. */
export async function stopChild({ process: child, ended }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const cut = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await ended;
  clearTimeout(cut);
}
