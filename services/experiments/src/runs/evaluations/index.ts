import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import type { Deps } from "../../deps.ts";
import { getEvaluation } from "./get-evaluation.ts";
import { listEvaluations } from "./list-evaluations.ts";

export { byTest, evaluationsOf } from "./queries.ts";
export { counts, passes, resultOf, type Sums, sumsOf } from "./result.ts";

/** Read methods of EvaluationService. */
export const evaluations = (deps: Deps): Omit<Handlers<typeof EvaluationService>, "rerunEvaluations"> => ({
  getEvaluation: getEvaluation(deps),
  listEvaluations: listEvaluations(deps),
});
