import { serviceHarness, testTenant } from "@ems/test-support";
import { tracesConfig } from "../src/config.ts";
import { tracesSchema } from "../src/schema.ts";
import { createTraces } from "../src/service.ts";

/** The service on a database of its own. */
export async function tracesHarness() {
  const harness = await serviceHarness({ schema: tracesSchema, config: tracesConfig, build: createTraces });
  return { ...harness, tenant: testTenant() };
}
