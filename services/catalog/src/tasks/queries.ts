/** The columns of TaskRow, of `catalog.task t`. */
export const taskColumns = `
  t.application_id AS "applicationId", t.id, t.org_id AS "orgId", t.topic_id AS "topicId", t.title, t.description, t.type,
  t.status, t.is_verified AS "isVerified", t.prompts, t.created_at AS "createdAt", t.modified_at AS "modifiedAt"`;
