// The product as a mesh: each service and the gateway as its own process, gRPC between them.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Health } from "@ems/kit/lifecycle";
import type { Listening } from "@ems/kit/serve";
import { type Environment, environmentOf, type Ports, silentPorts } from "./environment.ts";
import type { Installation } from "./installation.ts";
import { mesh, type ProcessName, processNames } from "./mesh.ts";
import type { Running, RunningProcess } from "./running.ts";

const root = join(import.meta.dirname, "..");
/** A process that is not ready by then never will be. */
const readyMs = 30_000;
/** A process is given the whole of its own shutdown budget, and a little. */
const stopMs = 30_000;

interface Child {
  readonly name: ProcessName;
  readonly process: ChildProcess;
  /** Settles when the process ended; says which and why. */
  readonly ended: Promise<string>;
}

/** Starts one process after the other, callees first; when one cannot start, those before it are stopped again. */
export async function runProcesses(env: Environment, installation: Installation): Promise<Running> {
  const ports: Record<ProcessName, Ports[ProcessName]> = { ...silentPorts() };
  const children: Child[] = [];
  const processes: RunningProcess[] = [];
  const start = async (name: ProcessName, port: number) => {
    const adminPort = name === "gateway" ? Number(env.ADMIN_PORT ?? 0) : 0;
    const child = startChild(name, environmentOf(name, env, installation, { ...ports, [name]: { port, adminPort } }));
    children.push(child);
    return { child, listening: await ready(child) };
  };
  try {
    for (const name of processNames) {
      const isGiven = name === "gateway" && env.PORT !== undefined;
      const wanted = isGiven ? Number(env.PORT) : mesh[name].port;
      const { child, listening } = await start(name, wanted).catch((error: unknown) => {
        // The table's port may be another run's; nobody asked for just this one, so any will do.
        if (isGiven || !String(error).includes("EADDRINUSE")) throw error;
        children.pop();
        return start(name, 0);
      });
      ports[name] = { port: listening.port, adminPort: Number(new URL(listening.adminUrl).port) };
      const { pid } = child.process;
      processes.push({ name, pid, address: `127.0.0.1:${listening.port}`, adminUrl: listening.adminUrl });
    }
  } catch (error) {
    await stopAll(children);
    throw error;
  }
  let isStopping = false;
  return {
    baseUrl: `http://${env.HOST ?? "127.0.0.1"}:${ports.gateway.port}`,
    adminUrl: `http://127.0.0.1:${ports.gateway.adminPort}`,
    processes,
    health: new Health(async () => undefined),
    // One that ends because it was told to is no loss.
    lost: Promise.race(children.map(({ ended }) => ended)).then((why) =>
      isStopping ? new Promise<string>(() => undefined) : why,
    ),
    stop: () => {
      isStopping = true;
      return stopAll(children);
    },
  };
}

function startChild(name: ProcessName, env: Environment): Child {
  const main = name === "gateway" ? "gateway/src/main.ts" : `services/${name}/src/main.ts`;
  // Over the fourth channel the child tells where it listens, and its end tells the child that this process was killed.
  const child = spawn(process.execPath, [join(root, main)], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  let lastLine = "";
  child.stdout?.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    lastLine = chunk.toString().trimEnd().split("\n").at(-1) ?? lastLine;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    const how = signal === null ? `with exit code ${code}` : `killed by ${signal}`;
    return `${name} (process ${child.pid}) ended, ${how}${lastLine && signal === null ? `: ${lastLine}` : ""}`;
  });
  return { name, process: child, ended };
}

/** Waits until the process has told where it listens, and is ready there. */
async function ready({ name, process: child, ended }: Child): Promise<Listening> {
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

/** Callers first, so that no request finds its callee gone. */
async function stopAll(children: readonly Child[]): Promise<void> {
  for (const { process: child, ended } of [...children].reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    const cut = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await ended;
    clearTimeout(cut);
  }
}
