import { type Mount, mount } from "@ems/kit/rpc/service";
import { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import type { Deps } from "../../deps.ts";
import { deleteTrace } from "./delete-trace.ts";
import { deleteTraces } from "./delete-traces.ts";
import { getTraceDeletion } from "./get-trace-deletion.ts";

/** Mounts the deletion of traces, which the worker of erasures runs. */
export const traceDeletions = (deps: Deps, onCreated: () => void): Mount =>
  mount(TraceDeletionService, {
    deleteTrace: deleteTrace(deps, onCreated),
    deleteTraces: deleteTraces(deps, onCreated),
    getTraceDeletion: getTraceDeletion(deps),
  });
