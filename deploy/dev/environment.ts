import { addressVariable, listCallers, type ProcessName, processNames } from "@ems/deploy/mesh";
import { schemas } from "@ems/deploy/schemas";
import { hasOutbox, relayRole, runtimeRole } from "@ems/kit/db/schema";
import { listPublicKeys } from "@ems/kit/rpc/tokens/keys";
import type { Installation } from "./installation.ts";
import type { Nats } from "./nats.ts";

export type Environment = Record<string, string | undefined>;

/** Ports of the processes; 0 means a free port. */
export type Ports = Readonly<Record<ProcessName, { readonly port: number; readonly adminPort: number }>>;

/** Builds the environment of process `name` from the operator's environment, the mesh table and the installation. */
export function buildProcessEnvironment(
  name: ProcessName,
  base: Environment,
  installation: Pick<Installation, "secrets" | "urlAs">,
  ports: Ports,
  nats: Pick<Nats, "urlAs"> = { urlAs: () => base.NATS_URL },
): Environment {
  const { secrets, urlAs } = installation;
  const schema = schemas.find((candidate) => candidate.name === name);
  const addresses = processNames.map((peer) => [addressVariable(peer), `127.0.0.1:${ports[peer].port}`]);
  return {
    ...base,
    ...Object.fromEntries(addresses),
    ADMIN_PORT: String(ports[name].adminPort),
    RPC_PRIVATE_KEY: secrets.rpcPrivateKeys[name],
    RPC_PUBLIC_KEYS: listPublicKeys(secrets.rpcPrivateKeys),
    NATS_URL: name === "reporting" ? undefined : nats.urlAs(name),
    ...(name === "gateway" ? { PORT: String(ports.gateway.port) } : { RPC_PORT: String(ports[name].port) }),
    ...(schema && {
      DATABASE_URL: urlAs(runtimeRole(schema)),
      ...(hasOutbox(schema) && { RELAY_DATABASE_URL: urlAs(relayRole(schema)) }),
      RPC_CALLERS: listCallers(name).join(","),
    }),
    ...((name === "notifications" || name === "evaluation") && {
      SEALING_KEYS: base.SEALING_KEYS ?? secrets.sealingKey,
    }),
    ...(name === "identity" && { API_KEY_PEPPERS: base.API_KEY_PEPPERS ?? secrets.apiKeyPepper }),
  };
}

export function freePorts(): Ports {
  const free = processNames.map((name) => [name, { port: 0, adminPort: 0 }]);
  // The cast is safe: there is one entry for each process.
  return Object.fromEntries(free) as Ports;
}
