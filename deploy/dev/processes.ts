// `npm run mesh`: runs each service and the gateway as its own process, with gRPC between them.

import { mesh, type ProcessName, processNames } from "@ems/deploy/mesh";
import { Health } from "@ems/kit/health";
import { type Child, ready, startChild, stopChild } from "./child.ts";
import { buildProcessEnvironment, type Environment, freePorts, type Ports } from "./environment.ts";
import { isFree } from "./free-port.ts";
import type { Installation } from "./installation.ts";
import type { Nats } from "./nats.ts";
import type { Running, RunningProcess } from "./running.ts";

/** Starts the processes one by one, callees first. If one fails, stops the processes that have started. */
export async function runProcesses(
  env: Environment,
  installation: Installation,
  nats: Pick<Nats, "urlAs">,
): Promise<Running> {
  const ports: Record<ProcessName, Ports[ProcessName]> = { ...freePorts() };
  const children: Child[] = [];
  const processes: RunningProcess[] = [];
  let grpcPort: number | undefined;
  const start = async (name: ProcessName, port: number) => {
    const adminPort = name === "gateway" ? Number(env.ADMIN_PORT ?? 0) : 0;
    const own = { ...ports, [name]: { port, adminPort } };
    const child = startChild(name, buildProcessEnvironment(name, env, installation, own, nats));
    children.push(child);
    return { child, listening: await ready(child) };
  };
  try {
    for (const name of processNames) {
      const isPortSet = name === "gateway" && env.PORT !== undefined;
      const port = isPortSet ? Number(env.PORT) : (await isFree(mesh[name].port)) ? mesh[name].port : 0;
      const { child, listening } = await start(name, port).catch((error: unknown) => {
        // Another run may have taken the port in the mesh table meanwhile. Then use any free port.
        if (isPortSet || !String(error).includes("EADDRINUSE")) throw error;
        children.pop();
        return start(name, 0);
      });
      grpcPort = listening.grpcPort;
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
    // The gateway starts last, so this is its gRPC port.
    grpcUrl:
      grpcPort === undefined
        ? undefined
        : `${env.GRPC_TLS_CERT_FILE ? "https" : "http"}://${env.HOST ?? "127.0.0.1"}:${grpcPort}`,
    adminUrl: `http://127.0.0.1:${ports.gateway.adminPort}`,
    processes,
    health: new Health(async () => undefined),
    // Never resolves for processes that `stop` ends.
    lost: Promise.race(children.map(({ ended }) => ended)).then((reason) =>
      isStopping ? new Promise<string>(() => undefined) : reason,
    ),
    stop: () => {
      isStopping = true;
      return stopAll(children);
    },
  };
}

/** Stops callers before their callees, so that no request fails. */
async function stopAll(children: readonly Child[]): Promise<void> {
  for (const child of [...children].reverse()) await stopChild(child);
}
