import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import type { TracesConfig } from "./config.ts";
import { tracesSchema } from "./schema.ts";

/** The traces of applications. It has no RPC yet: experiments still serves traces. */
export async function createTraces(config: TracesConfig, { log, bus, clock }: ServiceDeps): Promise<Service> {
  const { RELAY_DATABASE_URL: url, RELAY_POOL_MAX: poolMax } = config;
  const relayDatabase = new RelayDatabase({ schema: tracesSchema, url, poolMax, log });
  const service = await openService(tracesSchema, config, { log, bus, clock, relayDatabase }, () => []);
  return {
    ...service,
    close: async () => {
      await service.close();
      await relayDatabase.close();
    },
  };
}
