/** The columns of TagRow, of `catalog.tag g`. */
export const tagColumns = `
  g.application_id AS "applicationId", g.id, g.org_id AS "orgId", g.name, g.color, g.description, g.status,
  g.created_at AS "createdAt", g.modified_at AS "modifiedAt"`;
