import { createClient } from "@connectrpc/connect";
import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { ExperimentsConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { getTrace } from "./rpc/get-trace.ts";
import { ingestEvents } from "./rpc/ingest-events.ts";
import { ingestOtelTraces } from "./rpc/ingest-otel-traces.ts";
import { listTraces } from "./rpc/list-traces.ts";
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
    return [
      mount(TraceService, { getTrace: getTrace(deps), listTraces: listTraces(deps) }),
      mount(IngestService, { ingestEvents: ingestEvents(deps), ingestOtelTraces: ingestOtelTraces(deps) }),
    ];
  });
}
