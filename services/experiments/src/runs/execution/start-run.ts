import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { RunTypeSchema } from "@ems/proto/experiments/v1/run";
import type { Deps } from "../../deps.ts";
import { insertRun, planRun, type RunToStart, toLabels } from "./new-run.ts";

type Handler = Handlers<typeof ExecutionService>["startRun"];

/** Starts a run with the id that the caller chose. Idempotent. */
export function startRun(
  deps: Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll" | "references">,
): Handler {
  return ({ runId, type, title, taskIds, repeat = 1, simulate, definitionIds, experimentVariantId }, call) => {
    const run: RunToStart = {
      id: runId.toLowerCase(),
      type: enumName(RunTypeSchema, type),
      ...toLabels({ name: title }),
      experimentVariantId: experimentVariantId?.toLowerCase() ?? null,
      taskIds,
      repeat,
      simulate,
      definitionIds,
    };
    const check = () => planRun(deps, call, run);
    return deps.database.changeAfter(call, check, async (tx, plan) => ({
      testCount: await insertRun(deps, tx, call, run, plan),
    }));
  };
}
