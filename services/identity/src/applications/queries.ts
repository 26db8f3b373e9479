/** The columns of ApplicationRow, of `identity.application a`. */
export const applicationColumns = `
  a.org_id AS "orgId", a.id, a.title, a.slug, a.description, a.context, a.language, a.type, a.environment,
  a.human_annotation_enabled AS "humanAnnotationEnabled", a.created_at AS "createdAt", a.modified_at AS "modifiedAt"`;
