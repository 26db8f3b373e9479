/** The columns of AppUserRow, of `identity.app_user u`. */
export const userColumns = `
  u.org_id AS "orgId", u.id, u.name, u.email, u.image, u.created_at AS "createdAt", u.modified_at AS "modifiedAt"`;
