/** The columns of AssignmentRow, of `experiments.assignment a`. */
export const assignmentColumns = `
  a.application_id AS "applicationId", a.id, a.org_id AS "orgId", a.quickstart_id AS "quickstartId", a.stage,
  a.topic_id AS "topicId", a.assigned_to AS "assignedTo", a.created_at AS "createdAt", a.modified_at AS "modifiedAt"`;
