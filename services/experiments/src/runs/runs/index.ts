import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { getRun } from "./get-run.ts";
import { listRuns } from "./list-runs.ts";
import { updateRun } from "./update-run.ts";

export { RunEntity, type RunLabels, type RunRow, resultStatus, runType } from "./entity.ts";
export { buildFilter } from "./filter.ts";
export { type RunDefinition, type RunOutcome, type RunStat, recordedRun, runSums } from "./messages.ts";
export { addToRun, lockRun, runColumns } from "./queries.ts";
export { runDefinitions, runOutcomes, runStats } from "./stats.ts";

/** RunService's RPCs that do not start tests. */
export const runs = (deps: Deps): Pick<Handlers<typeof RunService>, "getRun" | "listRuns" | "updateRun"> => ({
  getRun: getRun(deps),
  listRuns: listRuns(deps),
  updateRun: updateRun(deps),
});
