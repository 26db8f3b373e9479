// One PostgreSQL for the unit and RPC tests of a run, with a migrated database to clone.

import { rm } from "node:fs/promises";
import { localSecrets } from "@ems/deploy/secrets";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import type { TestPostgres } from "@ems/test-support";
import type { TestProject } from "vitest/node";
import { newDataDir } from "./data-dir.ts";
import prepare from "./prepared.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export default async function setup({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  await prepare();
  const dataDir = await newDataDir("ems-test-postgres-");
  const { passwords } = await localSecrets(dataDir);
  // Files of four workers share it, each with the connections of its services.
  const server = await startEmbeddedPostgres({ dataDir, volatile: true, maxConnections: 200 });
  provide("postgres", { adminUrl: server.url, template: "ems", passwords });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
