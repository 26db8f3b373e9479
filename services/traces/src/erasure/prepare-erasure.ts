import { eraseCopies } from "@ems/kit/db/erase-copies";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof TraceWorkService>["prepareErasure"];

const feedbackOfUser = `DELETE FROM traces.feedback WHERE application_id = $1 AND end_user_key = $2
  RETURNING id`;

/** Deletes feedback of the user, and restores archived traces by user, id or test, so that they can be deleted. */
export function prepareErasure({ archiveErasing, database }: Pick<Deps, "archiveErasing" | "database">): Handler {
  return async ({ endUserKey, traceIds, testIds }, call) => {
    if (endUserKey !== undefined) {
      // The user may have given feedback on traces that name no user.
      await database.change(call, async (tx) => {
        const deleted = await tx.query<{ id: string }>(feedbackOfUser, [call.tenant.applicationId, endUserKey]);
        const ids = deleted.map(({ id }) => id);
        if (ids.length > 0) eraseCopies(tx, "traces", ids);
        return {};
      });
    }
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
