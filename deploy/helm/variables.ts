// Builds the chart's files/mesh.yaml, which lists the variables of each process and the source of their values.

import { getProcess } from "@ems/proto/process-name";
import { services } from "@ems/proto/services";
import { clusterPools } from "../connections.ts";
import { addressVariable, listCallers, mesh, type ProcessName, processNames } from "../mesh.ts";
import { listVariables } from "../settings.ts";

/** Variables that the chart sets from other values or from Secrets. All others are `settings`. */
// biome-ignore format: several per line
const managed = new Set([
  "HOST", "PORT", "GRPC_PORT", "GRPC_TLS_CERT_FILE", "GRPC_TLS_KEY_FILE", "ADMIN_HOST", "ADMIN_PORT", "RPC_HOST",
  "RPC_PORT", "RPC_CALLERS", "RPC_TLS_CA_FILE", "RPC_TLS_CERT_FILE", "RPC_TLS_KEY_FILE", "NODE_ENV",
  "RPC_PRIVATE_KEY", "RPC_PUBLIC_KEYS", "RPC_PLATFORM_CALLERS", "DATABASE_URL", "RELAY_DATABASE_URL",
  "REPORTING_DATABASE_URL", "API_KEY_PEPPERS", "SEALING_KEYS", "NATS_URL", "NATS_CREDENTIALS_FILE", "NATS_REPLICAS",
  "CLICKHOUSE_URL", "CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD", "CLICKHOUSE_DATABASE", "CLICKHOUSE_CLUSTER",
  "CLICKHOUSE_CA_FILE", "OIDC_CLIENT_SECRET", "SMTP_URL", "MAIL_FROM", "FEEDBACK_TO", "OPERATOR_TO",
  ...processNames.map(addressVariable),
]);

/** Returns the table of processes that the chart's templates read. */
export function chartMesh() {
  const ports = Object.fromEntries(processNames.map((name) => [name, mesh[name].port]));
  const processes = processNames.map((name) => {
    const { port, needs, uses, calls } = mesh[name];
    const variables = listVariables(name);
    return [
      name,
      {
        port,
        needs,
        uses,
        calls,
        callers: listCallers(name),
        serves: services.filter((service) => getProcess(service) === name).map(({ typeName }) => typeName),
        ports,
        managed: variables.filter((variable) => managed.has(variable)),
        settings: variables.filter((variable) => !managed.has(variable)),
        ...(clusterPools[name] && { pools: clusterPools[name] }),
      },
    ] as const;
  });
  // The cast is safe: there is one entry for each process.
  return Object.fromEntries(processes) as Record<ProcessName, (typeof processes)[number][1]>;
}
