// Lists every setting of every process, from the processes' configuration modules.

import { catalogConfig, catalogSettings } from "@ems/catalog/config";
import { evaluationConfig, evaluationSettings } from "@ems/evaluation/config";
import { experimentsConfig, experimentsSettings } from "@ems/experiments/config";
import { gatewayConfig, gatewaySettings } from "@ems/gateway/config";
import { identityConfig, identitySettings } from "@ems/identity/config";
import { describeSettings, type Setting } from "@ems/kit/config";
import { notificationsConfig, notificationsSettings } from "@ems/notifications/config";
import { reportingConfig, reportingSettings } from "@ems/reporting/config";
import { tracesConfig, tracesSettings } from "@ems/traces/config";
import type { ProcessName } from "./mesh.ts";

export const processSettings: Readonly<Record<ProcessName, readonly Setting[]>> = {
  identity: describeSettings(identitySettings),
  catalog: describeSettings(catalogSettings),
  traces: describeSettings(tracesSettings),
  experiments: describeSettings(experimentsSettings),
  evaluation: describeSettings(evaluationSettings),
  reporting: describeSettings(reportingSettings),
  notifications: describeSettings(notificationsSettings),
  gateway: describeSettings(gatewaySettings),
};

/** Reads the configuration of a process; throws if it is invalid. */
export const processConfigs = {
  identity: identityConfig,
  catalog: catalogConfig,
  traces: tracesConfig,
  experiments: experimentsConfig,
  evaluation: evaluationConfig,
  reporting: reportingConfig,
  notifications: notificationsConfig,
  gateway: gatewayConfig,
} satisfies Readonly<Record<ProcessName, (env: Readonly<Record<string, string | undefined>>) => object>>;

/** Lists the environment variables that the process reads. */
export function listVariables(name: ProcessName): string[] {
  return processSettings[name].map((setting) => setting.name);
}
