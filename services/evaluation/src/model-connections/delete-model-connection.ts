import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { ModelConnectionEntity } from "./entity.ts";
import { lockedConnection } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["deleteModelConnection"];

/** Deletes a connection. Jobs that wait for it continue with a different one; if there is none, they end. */
export function deleteModelConnection({ database, clock, onConnectionWorks }: Deps): Handler {
  return async ({ id }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = await lockedConnection(tx, call, id);
      await tx.delete(ModelConnectionEntity, { applicationId, id });
      onConnectionWorks(tx, applicationId, clock.now());
      return {};
    });
}
