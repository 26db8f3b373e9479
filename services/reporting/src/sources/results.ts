// Shared by tests and evaluations.

export const resultStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"];

/** `$1` is the application. */
export const resultsNotArchived = `
  s.task_id NOT IN (SELECT id FROM reporting.task_v1 WHERE application_id = $1 AND status = 'ARCHIVED')
  AND (s.topic_id IS NULL OR s.topic_id NOT IN (
    SELECT id FROM reporting.topic_v1 WHERE application_id = $1 AND status = 'ARCHIVED'))`;
