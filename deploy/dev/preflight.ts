// What would end a start badly is found before anything is made.

import { once } from "node:events";
import { createServer } from "node:net";
import type { DeployConfig } from "./config.ts";

/** Rejects when another program listens on a port that the settings name. 0 takes a free one. */
export async function assertPortsFree(config: DeployConfig, env: Readonly<Record<string, string | undefined>>) {
  const { HOST, PORT, ADMIN_PORT } = config;
  const grpcPort = Number(env.GRPC_PORT || 0) || 0;
  for (const [variable, port, host] of [
    ["PORT", PORT, HOST],
    ["GRPC_PORT", grpcPort, HOST],
    ["ADMIN_PORT", ADMIN_PORT, env.ADMIN_HOST || "127.0.0.1"],
  ] as const) {
    if (port === 0) continue;
    const failure = await listenFailure(port, host);
    if (failure === "EADDRINUSE")
      throw new Error(
        `port ${port} of ${host} is taken by another program: stop it, or set ${variable} to another port`,
      );
    if (failure === "EACCES") throw new Error(`port ${port} (${variable}) needs rights that this user does not have`);
    if (failure !== undefined) throw new Error(`nothing can listen on ${host}, port ${port} (${variable}): ${failure}`);
  }
}

async function listenFailure(port: number, host: string): Promise<string | undefined> {
  const server = createServer().listen({ port, host });
  // `once` rejects at an error.
  const failure = await once(server, "listening").then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (failure === undefined) await once(server.close(), "close");
  return failure;
}
