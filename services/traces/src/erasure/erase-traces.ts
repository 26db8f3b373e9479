import { eraseCopies } from "@ems/kit/db/erase-copies";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";
import { deleteTraces, lockTraces } from "../traces/index.ts";

type Handler = Handlers<typeof TraceWorkService>["eraseTraces"];

/** Deletes traces with all their data. */
export function eraseTraces({ database }: Pick<Deps, "database">): Handler {
  return ({ traceIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const ids = distinctIds(traceIds);
      // Takes the same lock as ingestion, so that steps that arrive during the deletion wait and create a new trace.
      await lockTraces(tx, applicationId, ids);
      eraseCopies(tx, "traces", ids);
      await deleteTraces(tx, applicationId, ids);
      return {};
    });
}
