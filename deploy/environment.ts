import { relayRole, runtimeRole } from "@ems/kit/db/schema";
import type { Installation } from "./installation.ts";
import { addressVariable, callersOf, type ProcessName, processNames } from "./mesh.ts";
import { schemas } from "./schemas.ts";

export type Environment = Record<string, string | undefined>;

/** Ports of the processes; 0 where a port does not matter because nothing listens. */
export type Ports = Readonly<Record<ProcessName, { readonly port: number; readonly adminPort: number }>>;

/** The environment that `name` reads its configuration from: the operator's own, and what the table says. */
export function environmentOf(
  name: ProcessName,
  base: Environment,
  installation: Installation,
  ports: Ports,
): Environment {
  const { secrets, urlAs } = installation;
  const schema = schemas.find((one) => one.name === name);
  const addresses = processNames.map((peer) => [addressVariable(peer), `127.0.0.1:${ports[peer].port}`]);
  return {
    ...base,
    ...Object.fromEntries(addresses),
    ADMIN_PORT: String(ports[name].adminPort),
    RPC_SECRET: base.RPC_SECRET ?? secrets.rpcSecret,
    ...(name === "gateway" ? { PORT: String(ports.gateway.port) } : { RPC_PORT: String(ports[name].port) }),
    ...(schema && {
      DATABASE_URL: urlAs(runtimeRole(schema)),
      RELAY_DATABASE_URL: urlAs(relayRole),
      RPC_CALLERS: callersOf(name).join(","),
    }),
    ...(name === "notifications" && { SEALING_KEYS: base.SEALING_KEYS ?? secrets.sealingKey }),
    ...(name === "identity" && { API_KEY_PEPPERS: base.API_KEY_PEPPERS ?? secrets.apiKeyPepper }),
  };
}

/** Ports for processes that do not listen. */
export function silentPorts(): Ports {
  const silent = processNames.map((name) => [name, { port: 0, adminPort: 0 }]);
  // One entry for every name of the table.
  return Object.fromEntries(silent) as Ports;
}
