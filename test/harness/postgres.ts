// One PostgreSQL for the unit and RPC tests of a run, with a migrated database to clone.

import { rm } from "node:fs/promises";
import { schemas } from "@ems/deploy/schemas";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { migrate } from "@ems/kit/db/migrate";
import { ensureDatabase, provisionDatabase, rolesOf, urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import { secureRandom } from "@ems/kit/id";
import type { TestPostgres } from "@ems/test-support";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export default async function setup({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  const dataDir = await temporaryDir("ems-test-postgres-");
  const server = await startEmbeddedPostgres({ dataDir, volatile: true });
  const template = "ems_template";
  const templateUrl = new URL(`/${template}`, server.url).href;
  const passwords = Object.fromEntries(rolesOf(schemas).map((role) => [role, secureRandom(16).toString("hex")]));
  await ensureDatabase(templateUrl);
  await provisionDatabase(templateUrl, schemas, passwords);
  await migrate(urlFor(templateUrl, ownerRole, passwords), schemas);
  provide("postgres", { adminUrl: server.url, template, passwords });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
