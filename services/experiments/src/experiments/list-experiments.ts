import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type ExperimentService, ExperimentStatusSchema } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import type { ExperimentRow } from "./entity.ts";
import { experiment } from "./messages.ts";
import { experimentColumns } from "./queries.ts";

type Handler = Handlers<typeof ExperimentService>["listExperiments"];

const orders = {
  createdAt: "e.created_at",
  modifiedAt: "e.modified_at",
  title: "e.title",
  status: "e.status",
  id: "e.id",
};

const list: List = {
  name: "experiments",
  columns: experimentColumns,
  from: "experiments.experiment e",
  where: `e.application_id = $1 AND ($2::text[] IS NULL OR e.status = ANY ($2))
    AND ($3::text IS NULL OR e.assignee = $3)`,
  tenant: "e.application_id",
  id: "e.id",
  search: { id: "e.id", find: "experiments.find_experiment" },
};

/** A page of the caller's application's experiments. */
export function listExperiments({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const statuses = request.status.map((status) => enumName(ExperimentStatusSchema, status));
    const filters = [call.tenant.applicationId, statuses.length > 0 ? statuses : null, request.assignee ?? null];
    const { rows, total } = await readList<ExperimentRow>(database, call, list, page, filters, request.search);
    return { data: rows.map(experiment), pagination: pagination(page, total) };
  };
}
