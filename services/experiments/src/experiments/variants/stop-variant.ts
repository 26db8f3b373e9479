import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { lockWithRun, readLastRun, writeVariant } from "./change-variant.ts";
import { variant } from "./messages.ts";

type Handler = Handlers<typeof VariantService>["stopVariant"];

/** Stops a variant's run, so that it requests no further prompts. */
export function stopVariant(deps: Pick<Deps, "database" | "references" | "clock">): Handler {
  const { database, clock } = deps;
  return (key, call) =>
    database.changeAfter(
      call,
      () => readLastRun(deps, call, key),
      async (tx, last) => {
        const locked = await lockWithRun(tx, call.tenant.applicationId, key, last);
        const { status, stopped } = locked.variant;
        if (status !== "RUNNING") throw failure("STATE_CONFLICT", `The variant is ${status} and cannot be stopped`);
        const row = stopped ? locked.variant : writeVariant(tx, locked, clock.now(), { stopped: true });
        return { data: variant(row, last.outcome) };
      },
    );
}
