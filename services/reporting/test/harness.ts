import { serviceHarness, type TestDatabase, testTenant } from "@ems/test-support";
import { reportingConfig } from "../src/config.ts";
import { reportingSchema } from "../src/schema.ts";
import { createReporting } from "../src/service.ts";

/** Starts reporting on a new database, or on `database`, with the tables of all services. */
export async function reportingHarness(env: Record<string, string> = {}, database?: TestDatabase) {
  const harness = await serviceHarness({
    schema: reportingSchema,
    config: reportingConfig,
    build: createReporting,
    env: { DATABASE_POOL_MAX: "4", ...env },
    database,
  });
  return { ...harness, tenant: testTenant() };
}
