export { EvaluationEntity, type EvaluationRow, type RecordedEvaluationRow } from "./entity.ts";
export { derivedFields, evaluation, recordedEvaluation } from "./messages.ts";
export { definitionOf, loadReferences, type References } from "./references.ts";
