import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { insertRun, planRun, toLabels } from "./new-run.ts";

type Handler = Handlers<typeof RunService>["triggerTasks"];

/** Starts a manual run. */
export function triggerTasks(
  deps: Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll" | "references">,
): Handler {
  return ({ taskIds, repeat = 1, simulate = false, definitionIds, ...labels }, call) => {
    const run = {
      id: deps.newId(),
      type: "MANUAL" as const,
      ...toLabels(labels),
      experimentVariantId: null,
      taskIds,
      repeat,
      simulate,
      definitionIds,
    };
    const check = () => planRun(deps, call, run);
    return deps.database.runExpensive(call, () =>
      deps.database.changeAfter(call, check, async (tx, plan) => {
        await insertRun(deps, tx, call, run, plan);
        return { runId: run.id };
      }),
    );
  };
}
