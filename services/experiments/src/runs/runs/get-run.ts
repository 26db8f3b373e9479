import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { RunEntity } from "./entity.ts";
import { fullRuns } from "./stats.ts";

type Handler = Handlers<typeof RunService>["getRun"];

const runById = rowById(RunEntity, "Run");

/** Returns a run of the caller's application. */
export function getRun(deps: Pick<Deps, "database" | "references">): Handler {
  return async ({ id }, call) => {
    const [run] = await fullRuns(deps, call, [await runById.read(deps.database, call, id)]);
    return { ...(run && { run }) };
  };
}
