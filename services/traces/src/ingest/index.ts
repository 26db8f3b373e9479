import { type Mount, mount } from "@ems/kit/rpc/service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import type { Deps } from "../deps.ts";
import type { StepMonths } from "../traces/index.ts";
import { ingestEvents } from "./ingest-events.ts";

export { storeAnswer } from "./store-answer.ts";

export const ingest = (deps: Deps, months: StepMonths, rowsMax: number): Mount =>
  mount(IngestService, { ingestEvents: ingestEvents(deps, months, rowsMax) });
