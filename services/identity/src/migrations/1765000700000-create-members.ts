import { auditTableV1 } from "@ems/kit/db/shared-migrations";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** People who sign in: members of applications, invitations, and who a user is at an OpenID Connect provider. */
export class CreateMembers1765000700000 implements MigrationInterface {
  readonly name = "CreateMembers1765000700000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.member (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        user_id text NOT NULL,
        role text NOT NULL CONSTRAINT member_role_check CHECK (role IN ('OWNER', 'EDITOR', 'REVIEWER', 'VIEWER')),
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT member_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT member_user_key UNIQUE (application_id, user_id),
        CONSTRAINT member_application_fkey FOREIGN KEY (org_id, application_id) REFERENCES identity.application (org_id, id),
        CONSTRAINT member_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
      );
      CREATE INDEX member_user ON identity.member (org_id, user_id);

      CREATE TABLE identity.invitation (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        email text NOT NULL,
        role text NOT NULL CONSTRAINT invitation_role_check CHECK (role IN ('OWNER', 'EDITOR', 'REVIEWER', 'VIEWER')),
        invited_by text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT invitation_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT invitation_email_key UNIQUE (application_id, email),
        CONSTRAINT invitation_application_fkey FOREIGN KEY (org_id, application_id)
          REFERENCES identity.application (org_id, id)
      );
      CREATE INDEX invitation_email ON identity.invitation (email);

      CREATE TABLE identity.sign_in (
        org_id text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT sign_in_pkey PRIMARY KEY (org_id, issuer, subject),
        CONSTRAINT sign_in_user_key UNIQUE (org_id, user_id),
        CONSTRAINT sign_in_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
      );
      CREATE INDEX sign_in_subject ON identity.sign_in (subject, issuer);

      ${tenantPolicy("identity.member")}
      ${tenantPolicy("identity.invitation")}
      ${tenantPolicy("identity.sign_in", "org_id")}
      -- A person signs in before it is known whose member they are: they see what is theirs, and nothing else.
      CREATE POLICY own ON identity.sign_in FOR SELECT
        USING (issuer || ' ' || subject = nullif(current_setting('ems.person', true), ''));
      CREATE POLICY own ON identity.invitation FOR SELECT
        USING (email = nullif(current_setting('ems.person_email', true), ''));
      CREATE POLICY own ON identity.member FOR SELECT
        USING (org_id = nullif(current_setting('ems.org_id', true), '')
          AND user_id = nullif(current_setting('ems.person_user', true), ''));

      -- The owners that the operator names belong to it. Its policy lets the owner role, which the function runs as, see organisations.
      CREATE FUNCTION identity.first_organisation() RETURNS text
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT id FROM identity.organisation ORDER BY created_at, id LIMIT 1
      $$;
      REVOKE ALL ON FUNCTION identity.first_organisation() FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION identity.first_organisation() TO ems_identity;

      GRANT SELECT, INSERT, UPDATE, DELETE ON identity.member, identity.invitation, identity.sign_in TO ems_identity;
      ${auditTableV1("identity", { table: "member" })}
      ${auditTableV1("identity", { table: "invitation" })}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION identity.first_organisation();
      DROP TABLE identity.sign_in, identity.invitation, identity.member
    `);
  }
}
