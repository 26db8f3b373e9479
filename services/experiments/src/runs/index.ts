import { type Mount, mount } from "@ems/kit/rpc/service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import { getRun } from "./get-run.ts";
import { listRuns } from "./list-runs.ts";

export { RunEntity, type RunRow, resultStatus, runType } from "./entity.ts";
export { filterOf } from "./filter.ts";
export { recordedRun } from "./messages.ts";
export { addToRun } from "./queries.ts";

export const runs = (deps: Deps): Mount => mount(RunService, { getRun: getRun(deps), listRuns: listRuns(deps) });
