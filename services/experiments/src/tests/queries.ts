/** The columns of TestRow that are shown, of `experiments.test t`. */
export const testColumns = `
  t.application_id AS "applicationId", t.id, t.org_id AS "orgId", t.task_id AS "taskId", t.topic_id AS "topicId",
  t.run_id AS "runId", t.run_type AS "runType", t.status, t.score_micro AS "scoreMicro", t.passed,
  t.duration_ms AS "durationMs", t.created_at AS "createdAt"`;
