// Tenants for tests, made as an operator makes them.

import { deployConfig } from "@ems/deploy/config";
import { joinInstallation } from "@ems/deploy/installation";
import { type Bootstrapped, bootstrap, type Person } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { inject } from "vitest";
import { Api } from "./api.ts";

export interface TestTenant extends Bootstrapped {
  readonly apiKey: string;
  readonly api: Api;
}

/** A tenant that no other test file has: a new organisation, or a second application of one that is named. */
export async function newTenant(
  names: { organisation?: string; application?: string; user?: Person } = {},
): Promise<TestTenant> {
  const { dataDir, baseUrl } = inject("product");
  const installation = await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined);
  const made = await bootstrap({
    ownerUrl: installation.urlAs(ownerRole),
    peppers: [installation.secrets.apiKeyPepper],
    clock: systemClock,
    newId,
    random: secureRandom,
    organisation: names.organisation ?? `Organisation ${newId()}`,
    application: names.application ?? "Support assistant",
    user: names.user,
    always: true,
  });
  if (made.apiKey === undefined) throw new Error("bootstrap made no key");
  return { ...made, apiKey: made.apiKey, api: await Api.open(baseUrl, made.applicationId, made.apiKey) };
}
