// Checks before a start, so that errors are found before anything is created.

import { once } from "node:events";
import { createServer } from "node:net";
import { processNames } from "@ems/deploy/mesh";
import { completeSecrets } from "@ems/deploy/secrets";
import { processConfigs } from "@ems/deploy/settings";
import { ConfigError, listFaults } from "@ems/kit/config";
import type { DeployConfig } from "./config.ts";
import { buildProcessEnvironment, type Environment, freePorts } from "./environment.ts";

/** Throws an error with all settings that a process would reject. Placeholders stand for the installation's values. */
export function assertSettingsUsable(env: Environment): void {
  const installation = { secrets: completeSecrets({}), urlAs: (role: string) => `postgres://${role}@127.0.0.1/ems` };
  const faults = processNames.flatMap((name) =>
    listFaults(() => processConfigs[name](buildProcessEnvironment(name, env, installation, freePorts()))),
  );
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
}

/** Throws if two settings have the same port, or if another program uses a port. 0 means any free port. */
export async function assertPortsFree(config: DeployConfig, env: Environment) {
  const { HOST, PORT, ADMIN_PORT } = config;
  const grpcPort = Number(env.GRPC_PORT || 0) || 0;
  const listeners = [
    ["PORT", PORT, HOST],
    ["GRPC_PORT", grpcPort, HOST],
    ["ADMIN_PORT", ADMIN_PORT, env.ADMIN_HOST || "127.0.0.1"],
  ] as const;
  for (const [index, [variable, port, host]] of listeners.entries()) {
    if (port === 0) continue;
    const duplicate = listeners.slice(0, index).find((other) => other[1] === port && other[2] === host);
    if (duplicate !== undefined)
      throw new Error(`${duplicate[0]} and ${variable} are both ${port}: set one of them to another port`);
    const failure = await listenFailure(port, host);
    if (failure === "EADDRINUSE")
      throw new Error(
        `port ${port} of ${host} is in use by another program: stop it, or set ${variable} to another port`,
      );
    if (failure === "EACCES")
      throw new Error(`port ${port} (${variable}) requires rights that this user does not have: choose another port`);
    if (failure !== undefined) throw new Error(`cannot listen on ${host}, port ${port} (${variable}): ${failure}`);
  }
}

async function listenFailure(port: number, host: string): Promise<string | undefined> {
  const server = createServer().listen({ port, host });
  // `once` rejects if the server emits an error.
  const failure = await once(server, "listening").then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (failure === undefined) await once(server.close(), "close");
  return failure;
}
