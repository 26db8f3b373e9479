import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { experiment } from "./messages.ts";
import { experimentById } from "./queries.ts";

type Handler = Handlers<typeof ExperimentService>["getExperiment"];

/** One experiment of the caller's application. */
export function getExperiment({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => ({ data: experiment(await experimentById.read(database, call, id)) });
}
