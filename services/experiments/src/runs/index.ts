import { type Mount, mount } from "@ems/kit/rpc/service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import { getRun } from "./get-run.ts";
import { listRuns } from "./list-runs.ts";
import { triggerTasks } from "./trigger-tasks.ts";

export { RunEntity, type RunRow, resultStatus, runType } from "./entity.ts";
export { filterOf } from "./filter.ts";
export { type RunDefinition, type RunStat, recordedRun, scoresOf } from "./messages.ts";
export { addToRun, runColumns } from "./queries.ts";
export { runDefinitions, runStats } from "./stats.ts";

export const runs = (deps: Deps): Mount =>
  mount(RunService, { getRun: getRun(deps), listRuns: listRuns(deps), triggerTasks: triggerTasks(deps) });
