import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof TraceWorkService>["prepareErasure"];

/** Restores archived traces by user, id or test, so that they can be deleted. */
export function prepareErasure({ archiveErasing }: Pick<Deps, "archiveErasing">): Handler {
  return async ({ endUserKey, traceIds, testIds }, call) => {
    const users = endUserKey === undefined ? [] : [endUserKey];
    const state = await archiveErasing.restore(
      call.tenant,
      async () => [
        ["traces", "trace", "end_user_key", users],
        ["traces", "trace", "id", traceIds],
        ["traces", "trace", "test_id", testIds],
      ],
      call.signal,
    );
    const isPurged = state === null || (await archiveErasing.purge(call.tenant));
    return { isPurged, ...(state !== null && { archiveState: state }) };
  };
}
