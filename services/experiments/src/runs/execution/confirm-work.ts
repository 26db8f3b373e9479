import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { confirmWork as confirm } from "./work.ts";

type Handler = Handlers<typeof ExecutionService>["confirmWork"];

/** Ends the claims of work whose outcome is already stored elsewhere. */
export function confirmWork(relay: RelayDatabase): Handler {
  return async ({ claims }) => {
    await confirm(relay, claims);
    return {};
  };
}
