import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { ExperimentEntity, type ExperimentRow } from "./entity.ts";
import { experiment } from "./messages.ts";

type Handler = Handlers<typeof ExperimentService>["getExperiment"];

const text = `SELECT ${columnsOf(ExperimentEntity, "e")} FROM experiments.experiment e WHERE e.application_id = $1 AND e.id = $2`;

/** One experiment of the caller's application. */
export function getExperiment({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<ExperimentRow>(call, { name: "get-experiment", text, values });
    if (row === undefined) throw notFound("Experiment");
    return { data: experiment(row) };
  };
}
