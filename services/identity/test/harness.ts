import { secureRandom } from "@ems/kit/id";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { InvitationService } from "@ems/proto/identity/v1/invitation_service";
import { MemberService } from "@ems/proto/identity/v1/member_service";
import { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { serviceHarness, testTenant } from "@ems/test-support";
import { identityConfig } from "../src/config.ts";
import { identitySchema } from "../src/schema.ts";
import { createIdentity } from "../src/service.ts";

/** Starts identity on a new database, with one organization, user and application. */
export async function identityHarness(env: Record<string, string> = {}) {
  const peppers = [secureRandom(24).toString("hex"), secureRandom(24).toString("hex")] as const;
  const harness = await serviceHarness({
    schema: identitySchema,
    config: identityConfig,
    build: createIdentity,
    env: { API_KEY_PEPPERS: peppers.join(","), ...env },
  });
  const addTenant = async () => {
    const tenant = testTenant();
    const { orgId, userId, applicationId } = tenant;
    const { sql } = harness.database;
    await sql(
      "INSERT INTO identity.organisation (id, name, created_at, modified_at) VALUES ($1, 'Bank', now(), now())",
      [orgId],
    );
    await sql(
      `INSERT INTO identity.app_user (org_id, id, name, email, created_at, modified_at)
       VALUES ($1, $2, 'Ada', 'ada@example.com', now(), now())`,
      [orgId, userId],
    );
    await sql(
      `INSERT INTO identity.application (org_id, id, title, slug, description, context, type, environment,
         human_annotation_enabled, created_at, modified_at)
       VALUES ($1, $2, 'Support', $3, 'Answers customers', 'A bank', 'CHATBOT', 'PROD', true, now(), now())`,
      [orgId, applicationId, `support-${applicationId}`],
    );
    return tenant;
  };
  return {
    ...harness,
    peppers,
    addTenant,
    tenant: await addTenant(),
    apiKeys: harness.client(ApiKeyService),
    applications: harness.client(ApplicationService),
    users: harness.client(UserService),
    members: harness.client(MemberService),
    invitations: harness.client(InvitationService),
    signIns: harness.client(SignInService),
    appConfig: harness.client(AppConfigService),
  };
}
