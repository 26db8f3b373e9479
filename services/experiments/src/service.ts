import { createClient } from "@connectrpc/connect";
import { publisher } from "@ems/kit/events/publish";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { ExperimentsConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { experimentsSchema } from "./schema.ts";

/** Experiments: experiments, inference steps, quickstarts and what hangs on them, traces. */
export function createExperiments(
  config: ExperimentsConfig,
  { log, clock, newId, peer }: ServiceDeps,
): Promise<Service> {
  return openService(experimentsSchema, config, log, (database) => {
    const deps: Deps = {
      database,
      publish: publisher(experimentsSchema.name, { clock, newId }),
      clock,
      newId,
      users: createClient(UserService, peer("identity")),
      references: createClient(ReferenceService, peer("catalog")),
    };
    void deps;
    return [];
  });
}
