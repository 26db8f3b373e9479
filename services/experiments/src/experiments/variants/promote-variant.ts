import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity } from "../experiments/index.ts";
import { lockVariant, readLastRun } from "./change-variant.ts";
import { variant } from "./messages.ts";

type Handler = Handlers<typeof VariantService>["promoteVariant"];

/** Marks a variant as the one that the experiment has chosen. */
export function promoteVariant(deps: Pick<Deps, "database" | "references" | "clock" | "publish">): Handler {
  const { database, clock, publish } = deps;
  return (key, call) =>
    database.changeAfter(
      call,
      () => readLastRun(deps, call, key),
      async (tx, { outcome }) => {
        const { experiment, variant: row } = await lockVariant(tx, call.tenant.applicationId, key);
        if (row.status !== "COMPLETED")
          throw failure("STATE_CONFLICT", `The variant is ${row.status} and cannot be promoted`);
        const data = variant(row, outcome);
        if (experiment.promotedVariantId === row.id) return { data };
        const { applicationId, id } = experiment;
        const change = { promotedVariantId: row.id, modifiedAt: clock.now() };
        tx.deferUpdate(ExperimentEntity, { applicationId, id }, change);
        await publish(tx, call.tenant, { case: "experimentVariantPromoted", value: data });
        return { data };
      },
    );
}
