import { containing, pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type ExperimentService, ExperimentStatusSchema } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import type { ExperimentRow } from "../entities/experiment.ts";
import { experiment } from "../experiment-messages.ts";
import { experimentColumns } from "../experiment-sql.ts";

type Handler = Handlers<typeof ExperimentService>["listExperiments"];

const orders = {
  createdAt: "e.created_at",
  modifiedAt: "e.modified_at",
  title: "e.title",
  status: "e.status",
  id: "e.id",
};

const matching = `FROM experiments.experiment e
  WHERE e.application_id = $1 AND ($2::text[] IS NULL OR e.status = ANY ($2))
    AND ($3::text IS NULL OR e.assignee = $3)
    AND ($4::text IS NULL OR e.title ILIKE $4 OR e.description ILIKE $4)`;

/** A page of the caller's application's experiments. */
export function listExperiments({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const statuses = request.status.map((status) => enumName(ExperimentStatusSchema, status));
    const filters = [
      call.tenant.applicationId,
      statuses.length > 0 ? statuses : null,
      request.assignee ?? null,
      request.search === undefined ? null : containing(request.search),
    ];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-experiments-${page.orderName}`,
        text: `SELECT ${experimentColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $5 OFFSET $6`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-experiments", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    return {
      data: (rows as ExperimentRow[]).map(experiment),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
