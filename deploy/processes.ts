// The product as a mesh: each service and the gateway as its own process, gRPC between them.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Health } from "@ems/kit/lifecycle";
import { type Environment, environmentOf, type Ports } from "./environment.ts";
import type { Installation } from "./installation.ts";
import { mesh, type ProcessName, processNames } from "./mesh.ts";
import type { Running } from "./running.ts";

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
  const ports = await portsOf(env);
  const children: Child[] = [];
  try {
    for (const name of processNames) {
      const child = startChild(name, environmentOf(name, env, installation, ports));
      children.push(child);
      await ready(child, `http://127.0.0.1:${ports[name].adminPort}/readyz`);
    }
  } catch (error) {
    await stopAll(children);
    throw error;
  }
  const adminUrl = (name: ProcessName) => `http://127.0.0.1:${ports[name].adminPort}`;
  return {
    baseUrl: `http://${env.HOST ?? "127.0.0.1"}:${ports.gateway.port}`,
    adminUrl: adminUrl("gateway"),
    processes: children.map(({ name, process: { pid } }) => ({
      name,
      pid,
      address: `127.0.0.1:${ports[name].port}`,
      adminUrl: adminUrl(name),
    })),
    health: new Health(async () => undefined),
    lost: Promise.race(children.map(({ ended }) => ended)),
    stop: () => stopAll(children),
  };
}

function startChild(name: ProcessName, env: Environment): Child {
  const main = name === "gateway" ? "gateway/src/main.ts" : `services/${name}/src/main.ts`;
  // The fourth channel carries nothing: when this process is killed, its end tells the child to stop.
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

async function ready({ name, ended }: Child, url: string): Promise<void> {
  let over: string | undefined;
  void ended.then((why) => {
    over = why;
  });
  for (const untilMs = Date.now() + readyMs; Date.now() < untilMs; await delay(25)) {
    if (over !== undefined) throw new Error(over);
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok) return;
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

/** The table's ports where they are free; another run may have them. */
async function portsOf(env: Environment): Promise<Ports> {
  const entries = await Promise.all(
    processNames.map(async (name) => {
      const isGateway = name === "gateway";
      const wanted = isGateway && env.PORT !== undefined ? Number(env.PORT) : mesh[name].port;
      const port = isGateway && wanted !== 0 ? wanted : await freePort(wanted);
      const adminPort = isGateway && Number(env.ADMIN_PORT ?? 0) !== 0 ? Number(env.ADMIN_PORT) : await freePort(0);
      return [name, { port, adminPort }] as const;
    }),
  );
  return Object.fromEntries(entries) as Ports;
}

async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  server.listen(wanted, "127.0.0.1");
  const [error] = await Promise.race([once(server, "listening").then(() => []), once(server, "error")]);
  if (error) return freePort(0);
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : freePort(0);
}
