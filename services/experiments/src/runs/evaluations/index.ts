import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import type { Deps } from "../../deps.ts";
import { getEvaluation } from "./get-evaluation.ts";
import { listEvaluations } from "./list-evaluations.ts";

export { byTest, lookUpEvaluations } from "./queries.ts";

/** EvaluationService's RPCs that only read. */
export const evaluations = (deps: Deps): Omit<Handlers<typeof EvaluationService>, "rerunEvaluations"> => ({
  getEvaluation: getEvaluation(deps),
  listEvaluations: listEvaluations(deps),
});
