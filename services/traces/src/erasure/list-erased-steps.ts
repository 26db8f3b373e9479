import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";
import { selectStepIds } from "../traces/index.ts";

type Handler = Handlers<typeof TraceWorkService>["listErasedSteps"];

/** Returns the ids of the traces' steps. */
export function listErasedSteps({ database }: Pick<Deps, "database">): Handler {
  return async ({ traceIds }, call) => {
    const values = [call.tenant.applicationId, traceIds];
    const rows = await database.read<{ id: string }>(call, { text: selectStepIds, values });
    return { stepIds: rows.map(({ id }) => id) };
  };
}
