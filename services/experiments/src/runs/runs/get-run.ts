import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { runById, runVersions } from "./entity.ts";
import { fullRuns } from "./stats.ts";

type Handler = Handlers<typeof RunService>["getRun"];

/** Returns a run of the caller's application. */
export function getRun(deps: Pick<Deps, "database" | "references">): Handler {
  return async ({ id }, call) => {
    const row = await runById.read(deps.database, call, id);
    const [run] = await fullRuns(deps, call, [row]);
    runVersions.answer(call, row);
    return { ...(run && { run }) };
  };
}
