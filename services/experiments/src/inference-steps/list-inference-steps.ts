import { columnsOf } from "@ems/kit/db/columns";
import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { InferenceStepService } from "@ems/proto/experiments/v1/inference_step_service";
import type { Deps } from "../deps.ts";
import { InferenceStepEntity, type InferenceStepRow } from "./entity.ts";
import { inferenceStep } from "./messages.ts";

type Handler = Handlers<typeof InferenceStepService>["listInferenceSteps"];

const orders = {
  createdAt: "s.created_at",
  modifiedAt: "s.modified_at",
  title: "s.title",
  type: "s.type",
  id: "s.id",
};

const columns = columnsOf(InferenceStepEntity, "s");

const matching = "FROM experiments.inference_step s WHERE s.application_id = $1";

/** A page of the caller's application's inference steps. */
export function listInferenceSteps({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { applicationId } = call.tenant;
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-inference-steps-${page.orderName}`,
        text: `SELECT ${columns} ${matching} ORDER BY ${page.orderBy} LIMIT $2 OFFSET $3`,
        values: [applicationId, page.limit, page.skip],
      },
      { name: "count-inference-steps", text: `SELECT count(*)::int AS total ${matching}`, values: [applicationId] },
    ]);
    return {
      data: (rows as InferenceStepRow[]).map(inferenceStep),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
