// Experiments as they are read.

/** The columns of ExperimentRow, of `experiments.experiment e`. */
export const experimentColumns = `
  e.application_id AS "applicationId", e.id, e.org_id AS "orgId", e.title, e.description, e.status,
  e.inference_step_ids AS "inferenceStepIds", e.task_ids AS "taskIds", e.assignee,
  e.created_at AS "createdAt", e.modified_at AS "modifiedAt"`;
