// A server process with the end of its output.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { killOnExit } from "@ems/dev/kill-on-exit";
import { until } from "@ems/dev/until";

export interface Server {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  output(): string;
  stop(): Promise<void>;
}

const keptCharacters = 20_000;
const stopMs = 30_000;

export function startServer([program = "", ...args]: readonly string[], options: SpawnOptions = {}): Server {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  killOnExit(child, "SIGTERM");
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-keptCharacters);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const exited = once(child, "exit");
  return {
    process: child,
    exited,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Waits until `condition` holds; throws with the output if the server ends first. */
export async function ready(server: Server, condition: () => boolean | Promise<boolean>, limitMs = 60_000) {
  let isGone = false;
  void server.exited.then(() => {
    isGone = true;
  });
  if ((await until(async () => isGone || (await condition()), limitMs)) && !isGone) return;
  throw new Error(`${server.process.spawnfile} ${isGone ? "ended" : "is not ready"}: ${server.output()}`);
}

/** HTTP status of an answer; 0 if there is none. */
export async function readStatus(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
