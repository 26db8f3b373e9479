import { serviceRig, testTenant } from "@ems/kit/testing";
import { reportingConfig } from "./config.ts";
import { reportingSchema } from "./schema.ts";
import { createReporting } from "./service.ts";

/** Reporting on a database of its own, with all services' tables in it. */
export async function reportingRig(env: Record<string, string> = {}) {
  const rig = await serviceRig({
    schema: reportingSchema,
    config: reportingConfig,
    build: createReporting,
    env: { DATABASE_POOL_MAX: "4", ...env },
  });
  return { ...rig, tenant: testTenant() };
}
