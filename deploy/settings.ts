// Every setting of every process, as their configurations declare them.

import { catalogSettings } from "@ems/catalog/config";
import { evaluationSettings } from "@ems/evaluation/config";
import { experimentsSettings } from "@ems/experiments/config";
import { gatewaySettings } from "@ems/gateway/config";
import { identitySettings } from "@ems/identity/config";
import { describeSettings, type Setting } from "@ems/kit/config";
import { notificationsSettings } from "@ems/notifications/config";
import { reportingSettings } from "@ems/reporting/config";
import type { ProcessName } from "./mesh.ts";

export const settingsOf: Readonly<Record<ProcessName, readonly Setting[]>> = {
  identity: describeSettings(identitySettings),
  catalog: describeSettings(catalogSettings),
  experiments: describeSettings(experimentsSettings),
  evaluation: describeSettings(evaluationSettings),
  reporting: describeSettings(reportingSettings),
  notifications: describeSettings(notificationsSettings),
  gateway: describeSettings(gatewaySettings),
};

/** The names of the environment variables that the process reads. */
export function variablesOf(name: ProcessName): string[] {
  return settingsOf[name].map((setting) => setting.name);
}
