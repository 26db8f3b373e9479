// Members as created by a sign-in, for tests without an OpenID Connect provider.

import { newId } from "@ems/kit/id";
import { productSql } from "./product-sql.ts";
import type { TestTenant } from "./tenant.ts";

/** Makes a new user a member; returns the member's id. */
export async function addMember(
  { orgId, applicationId }: Pick<TestTenant, "orgId" | "applicationId">,
  role: "OWNER" | "EDITOR" | "REVIEWER" | "VIEWER",
): Promise<string> {
  const [id, userId] = [newId(), newId()];
  await productSql(
    `INSERT INTO identity.app_user (org_id, id, name, email, created_at, modified_at)
     VALUES ($1, $2, 'Grace', $2 || '@example.com', now(), now())`,
    [orgId, userId],
  );
  await productSql(
    `INSERT INTO identity.member (application_id, id, org_id, user_id, role, created_at, modified_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [applicationId, id, orgId, userId, role],
  );
  return id;
}
