export { EvaluationEntity, type EvaluationRow, type RecordedEvaluationRow } from "./entity.ts";
export { derivedFields, evaluation, recordedEvaluation, scoreColumns } from "./messages.ts";
export { getDefinition, loadReferences, type References } from "./references.ts";
