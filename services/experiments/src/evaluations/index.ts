export { EvaluationEntity, type EvaluationRow } from "./entity.ts";
export { insertEvaluations } from "./insert-evaluations.ts";
export { derivedFields, evaluation } from "./messages.ts";
