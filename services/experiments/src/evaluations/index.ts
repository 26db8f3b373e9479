import { type Mount, mount } from "@ems/kit/rpc/service";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import type { Deps } from "../deps.ts";
import { getEvaluation } from "./get-evaluation.ts";
import { listEvaluations } from "./list-evaluations.ts";
import { rerunEvaluations } from "./rerun-evaluations.ts";

export { EvaluationEntity, type EvaluationRow, type RecordedEvaluationRow } from "./entity.ts";
export { derivedFields, evaluation, recordedEvaluation } from "./messages.ts";
export { byTest, evalsOfTests, evaluationsStatement, traceIds, tracesStatement } from "./queries.ts";
export { definitionOf, loadReferences, type References } from "./references.ts";
export { counts, passes, resultOf, type Sums, sumsOf } from "./result.ts";

export const evaluations = (deps: Deps): Mount =>
  mount(EvaluationService, {
    getEvaluation: getEvaluation(deps),
    listEvaluations: listEvaluations(deps),
    rerunEvaluations: rerunEvaluations(deps),
  });
