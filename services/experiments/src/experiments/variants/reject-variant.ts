import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { lockWithRun, readLastRun } from "./change-variant.ts";
import { variant } from "./messages.ts";
import { reject } from "./reject.ts";

type Handler = Handlers<typeof VariantService>["rejectVariant"];

/** Rejects a variant. */
export function rejectVariant(deps: Pick<Deps, "database" | "references" | "clock" | "publishAll">): Handler {
  const { database, clock } = deps;
  return (key, call) =>
    database.runExpensive(call, () =>
      database.changeAfter(
        call,
        () => readLastRun(deps, call, key),
        async (tx, last) => {
          const locked = await lockWithRun(tx, call.tenant.applicationId, key, last);
          return { data: variant(await reject(deps, tx, call.tenant, locked, clock.now()), last.outcome) };
        },
      ),
    );
}
