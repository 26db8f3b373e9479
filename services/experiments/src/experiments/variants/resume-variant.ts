import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { requestPrompts } from "../../runs/execution/index.ts";
import { lockWithRun, readLastRun, writeVariant } from "./change-variant.ts";
import { variant } from "./messages.ts";

type Handler = Handlers<typeof VariantService>["resumeVariant"];

/** Resumes a variant's stopped run. */
export function resumeVariant(deps: Pick<Deps, "database" | "references" | "clock" | "publishAll">): Handler {
  const { database, clock } = deps;
  return (key, call) =>
    database.changeAfter(
      call,
      () => readLastRun(deps, call, key),
      async (tx, last) => {
        const { run, ...locked } = await lockWithRun(tx, call.tenant.applicationId, key, last);
        const { status, stopped } = locked.variant;
        if (status !== "RUNNING") throw failure("STATE_CONFLICT", `The variant is ${status} and cannot be resumed`);
        if (!stopped || run === undefined) return { data: variant(locked.variant, last.outcome) };
        const now = clock.now();
        const row = writeVariant(tx, locked, now, { stopped: false });
        await requestPrompts(deps, tx, call.tenant, now, [run]);
        return { data: variant(row, last.outcome) };
      },
    );
}
