import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import type { Deps } from "../deps.ts";
import { EvaluationEntity } from "./entity.ts";
import { fullEvaluations } from "./queries.ts";

type Handler = Handlers<typeof EvaluationService>["getEvaluation"];

const evaluationById = rowById(EvaluationEntity, "Evaluation");

/** One evaluation of the caller's application. */
export function getEvaluation(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => {
    const row = await evaluationById.readBeside(deps.stores, call, id);
    const [data] = await fullEvaluations(deps, call, [row]);
    return { ...(data && { data }) };
  };
}
