export { type ExternalEvaluationRow, evaluationEvent } from "./entity.ts";
export { loadExternalEvaluations } from "./load-external-evaluations.ts";
export { externalEvaluation } from "./messages.ts";
export { admitNames, tooManyNames } from "./names.ts";
export {
  type ExternalEvaluation,
  redactEvaluations,
  redactExternalEvaluations,
  storeExternalEvaluations,
} from "./store-external-evaluations.ts";
export { assignToTraces, callKey } from "./waiting.ts";
