// Runs, tests and evaluations as they are read.

/** The columns of RunRow, of `experiments.run r`. */
export const runColumns = `
  r.application_id AS "applicationId", r.id, r.org_id AS "orgId", r.type, r.status, r.title,
  r.created_at AS "createdAt", r.modified_at AS "modifiedAt"`;

/** The columns of TestRow that are shown, of `experiments.test t`. */
export const testColumns = `
  t.application_id AS "applicationId", t.id, t.org_id AS "orgId", t.task_id AS "taskId", t.topic_id AS "topicId",
  t.run_id AS "runId", t.run_type AS "runType", t.status, t.score_micro AS "scoreMicro", t.passed,
  t.duration_ms AS "durationMs", t.created_at AS "createdAt"`;

/** The columns of EvaluationRow that are shown, of `experiments.evaluation e`. */
export const evaluationColumns = `
  e.id, e.definition_id AS "definitionId", e.definition_type AS "definitionType", e.status,
  e.score_micro AS "scoreMicro", e.passed, e.created_at AS "createdAt"`;
