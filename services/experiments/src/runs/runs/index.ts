import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { getRun } from "./get-run.ts";
import { listRuns } from "./list-runs.ts";

export { RunEntity, type RunRow, resultStatus, runType } from "./entity.ts";
export { buildFilter } from "./filter.ts";
export { type RunDefinition, type RunOutcome, type RunStat, recordedRun, runSums } from "./messages.ts";
export { addToRun, lockRun, runColumns } from "./queries.ts";
export { runDefinitions, runOutcomes, runStats } from "./stats.ts";

/** RunService's RPCs that only read. */
export const runs = (deps: Deps): Pick<Handlers<typeof RunService>, "getRun" | "listRuns"> => ({
  getRun: getRun(deps),
  listRuns: listRuns(deps),
});
