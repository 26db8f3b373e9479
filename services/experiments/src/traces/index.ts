import { type Mount, mount } from "@ems/kit/rpc/service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { getTrace } from "./get-trace.ts";
import { listTraces } from "./list-traces.ts";

export { derivedId } from "./derived-id.ts";
export type { TraceStepRow } from "./entity.ts";
export { storeUpdates } from "./store-updates.ts";
export {
  metadataTooLarge,
  type Rejection,
  type TraceUpdate,
  traceBytes,
} from "./trace-update.ts";

export const traces = (deps: Deps): Mount =>
  mount(TraceService, { getTrace: getTrace(deps), listTraces: listTraces(deps) });
