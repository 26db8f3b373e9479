import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import type { Deps } from "../../deps.ts";
import { getEvaluation } from "./get-evaluation.ts";
import { listEvaluations } from "./list-evaluations.ts";

export { EvaluationEntity, type EvaluationRow, type RecordedEvaluationRow } from "./entity.ts";
export { derivedFields, evaluation, recordedEvaluation } from "./messages.ts";
export { byTest, evalsOfTests, evaluationsOf } from "./queries.ts";
export { definitionOf, loadReferences, type References } from "./references.ts";
export { counts, passes, resultOf, type Sums, sumsOf } from "./result.ts";

/** The reading part of EvaluationService. */
export const evaluations = (deps: Deps): Omit<Handlers<typeof EvaluationService>, "rerunEvaluations"> => ({
  getEvaluation: getEvaluation(deps),
  listEvaluations: listEvaluations(deps),
});
