import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { experimentVersions } from "./entity.ts";
import { experiment } from "./messages.ts";
import { experimentById } from "./queries.ts";

type Handler = Handlers<typeof ExperimentService>["getExperiment"];

/** Returns an experiment of the caller's application. */
export function getExperiment({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const row = await experimentById.read(database, call, id);
    experimentVersions.answer(call, row);
    return { data: experiment(row) };
  };
}
