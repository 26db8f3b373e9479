// Tenants for tests, created as an operator does.

import { localSecrets } from "@ems/deploy/secrets";
import { deployConfig } from "@ems/dev/config";
import { joinInstallation } from "@ems/dev/installation";
import { type Bootstrapped, bootstrap, type Person } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { inject } from "vitest";
import { Api } from "./api.ts";
import type { ProductFacts } from "./product.ts";

export interface TestTenant extends Bootstrapped {
  readonly apiKey: string;
  readonly api: Api;
}

export interface TenantNames {
  readonly organisation?: string;
  readonly application?: string;
  readonly user?: Person;
}

/**
 * A tenant of its own for each test file: a new organization, or another application of a named one. `databaseUrl` is an
 * administrator's, if the product has an external PostgreSQL.
 */
export async function newTenant(
  names: TenantNames = {},
  { dataDir, baseUrl, databaseUrl }: Pick<ProductFacts, "dataDir" | "baseUrl" | "databaseUrl"> = inject("product"),
): Promise<TestTenant> {
  const installation = await openPrepared(dataDir, databaseUrl);
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

/** Secrets and database of the product. An external server is prepared already while a product runs on it. */
async function openPrepared(dataDir: string, databaseUrl: string | undefined) {
  if (databaseUrl === undefined) return joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined);
  const secrets = await localSecrets(dataDir);
  return { secrets, urlAs: (role: string) => urlFor(databaseUrl, role, secrets.passwords) };
}
