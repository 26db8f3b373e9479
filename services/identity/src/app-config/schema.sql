-- Feature flags of applications.
CREATE TABLE identity.app_config (
  org_id text NOT NULL,
  application_id uuid NOT NULL,
  crawler_enabled boolean NOT NULL DEFAULT false,
  ocr_enabled boolean NOT NULL DEFAULT false,
  ask_assistant_enabled boolean NOT NULL DEFAULT false,
  cra_evidence_pack_enabled boolean NOT NULL DEFAULT false,
  chatbot_playground_enabled boolean NOT NULL DEFAULT false,
  sota_model_enabled boolean NOT NULL DEFAULT false,
  CONSTRAINT app_config_pkey PRIMARY KEY (org_id, application_id),
  CONSTRAINT app_config_application_fkey FOREIGN KEY (org_id, application_id)
    REFERENCES identity.application (org_id, id)
);
ALTER TABLE identity.app_config ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- By organization: a key may read the flags of another application by its slug.
CREATE POLICY tenant ON identity.app_config USING (org_id = nullif(current_setting('ems.org_id', true), ''));
GRANT SELECT ON identity.app_config TO ems_identity;
