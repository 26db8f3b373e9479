// Tasks and tags as they are read: statements of their own rather than repositories, prepared once a connection.

/** The columns of TaskRow, of `catalog.task t`. */
export const taskColumns = `
  t.application_id AS "applicationId", t.id, t.org_id AS "orgId", t.topic_id AS "topicId", t.title, t.description, t.type,
  t.status, t.is_verified AS "isVerified", t.prompts, t.created_at AS "createdAt", t.modified_at AS "modifiedAt"`;

/** The columns of TagRow, of `catalog.tag g`. */
export const tagColumns = `
  g.application_id AS "applicationId", g.id, g.org_id AS "orgId", g.name, g.color, g.description, g.status,
  g.created_at AS "createdAt", g.modified_at AS "modifiedAt"`;
