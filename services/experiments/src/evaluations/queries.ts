/** The columns of EvaluationRow that are shown, of `experiments.evaluation e`. */
export const evaluationColumns = `
  e.id, e.definition_id AS "definitionId", e.definition_type AS "definitionType", e.status,
  e.score_micro AS "scoreMicro", e.passed, e.created_at AS "createdAt"`;
