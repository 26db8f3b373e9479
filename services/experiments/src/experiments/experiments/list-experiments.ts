import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ExperimentOrderSchema,
  type ExperimentService,
  ExperimentStatusSchema,
} from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity } from "./entity.ts";
import { experiment } from "./messages.ts";

type Handler = Handlers<typeof ExperimentService>["listExperiments"];

const list = defineList(ExperimentEntity, {
  alias: "e",
  orderBy: ExperimentOrderSchema,
  where: { status: "e.status = ANY (?)", assignee: "e.assignee = ?" },
  search: "experiments.find_experiment",
});

/** Lists the experiments of the caller's application. */
export function listExperiments({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { assignee } = request;
    const filters = { status: enumNames(ExperimentStatusSchema, request.status), assignee };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { search: request.search });
    return { data: rows.map(experiment), pagination };
  };
}
