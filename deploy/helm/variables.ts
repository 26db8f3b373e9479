// Which variables a process of the chart gets from where. The chart's files/mesh.yaml is made of this.

import { catalogVariables } from "@ems/catalog/config";
import { experimentsVariables } from "@ems/experiments/config";
import { gatewayVariables } from "@ems/gateway/config";
import { identityVariables } from "@ems/identity/config";
import { notificationsVariables } from "@ems/notifications/config";
import { reportingVariables } from "@ems/reporting/config";
import { addressVariable, callersOf, mesh, type ProcessName, processNames } from "../mesh.ts";

/** What each process reads, by its configuration. */
export const variablesOf: Readonly<Record<ProcessName, readonly string[]>> = {
  identity: identityVariables,
  catalog: catalogVariables,
  experiments: experimentsVariables,
  reporting: reportingVariables,
  notifications: notificationsVariables,
  gateway: gatewayVariables,
};

/** What the chart sets itself, from values of other names or from Secrets; everything else is a setting. */
const managed = new Set([
  ...["HOST", "PORT", "ADMIN_HOST", "ADMIN_PORT", "RPC_HOST", "RPC_PORT", "RPC_CALLERS", "NODE_ENV"],
  ...["RPC_PRIVATE_KEY", "RPC_PUBLIC_KEYS"],
  ...["DATABASE_URL", "RELAY_DATABASE_URL", "REPORTING_DATABASE_URL", "API_KEY_PEPPERS", "SEALING_KEYS"],
  ...["NATS_URL", "NATS_CREDENTIALS_FILE", "NATS_REPLICAS"],
  ...["SMTP_URL", "MAIL_FROM", "FEEDBACK_TO", "OPERATOR_TO"],
  ...processNames.map(addressVariable),
]);

/** The table that the chart's templates go by. */
export function chartMesh() {
  const ports = Object.fromEntries(processNames.map((name) => [name, mesh[name].port]));
  const processes = processNames.map((name) => {
    const { port, needs, uses, calls } = mesh[name];
    const variables = variablesOf[name];
    return [
      name,
      {
        port,
        needs,
        uses,
        calls,
        callers: callersOf(name),
        ports,
        managed: variables.filter((variable) => managed.has(variable)),
        settings: variables.filter((variable) => !managed.has(variable)),
      },
    ];
  });
  return Object.fromEntries(processes);
}
