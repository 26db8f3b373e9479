import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { serviceHarness, type TestDatabase, testTenant } from "@ems/test-support";
import { tracesConfig } from "../src/config.ts";
import { tracesSchema } from "../src/schema.ts";
import { createTraces } from "../src/service.ts";

/** Starts traces on a new database, or on `database`. The fake catalog returns a FACT definition for every id. */
export async function tracesHarness(env: Record<string, string> = {}, database?: TestDatabase) {
  const harness = await serviceHarness({
    schema: tracesSchema,
    config: tracesConfig,
    build: createTraces,
    env,
    database,
    peers: (router) =>
      router.service(ReferenceService, {
        batchGetReferences: ({ definitionIds }) => ({
          definitions: definitionIds.map((id) => ({ id, name: `Definition ${id}`, type: EvalDefinitionType.FACT })),
        }),
      }),
  });
  return { ...harness, tenant: testTenant() };
}
