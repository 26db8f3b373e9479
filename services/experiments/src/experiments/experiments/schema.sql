-- Experiments, and the variants that they compare.

-- Inference steps are never deleted and tasks belong to catalog, so that a list of ids replaces a link table.
CREATE TABLE experiments.experiment (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  status text NOT NULL,
  inference_step_ids uuid[] NOT NULL,
  task_ids uuid[] NOT NULL,
  assignee text,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  promoted_variant_id uuid,
  task_set json,
  CONSTRAINT experiment_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT experiment_status_check
    CHECK (status IN ('DRAFT', 'BASELINE_PENDING', 'BASELINE_RUNNING', 'BASELINE_COMPLETED', 'RUNNING', 'COMPLETED',
      'ARCHIVED'))
);
CREATE INDEX experiment_created ON experiments.experiment (application_id, created_at, id);
ALTER TABLE experiments.experiment ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.experiment
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.experiment TO ems_experiments;

CREATE TABLE experiments.experiment_variant (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  experiment_id uuid NOT NULL,
  parent_id uuid,
  title text NOT NULL,
  description text NOT NULL,
  status text NOT NULL,
  config_patch json NOT NULL,
  config json NOT NULL,
  run_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  stopped boolean NOT NULL DEFAULT false,
  CONSTRAINT experiment_variant_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT experiment_variant_status_check CHECK (status IN ('DRAFT', 'RUNNING', 'COMPLETED', 'FAILED', 'REJECTED')),
  CONSTRAINT experiment_variant_experiment_fkey FOREIGN KEY (application_id, experiment_id)
    REFERENCES experiments.experiment (application_id, id),
  CONSTRAINT experiment_variant_parent_fkey FOREIGN KEY (application_id, parent_id)
    REFERENCES experiments.experiment_variant (application_id, id)
);
CREATE INDEX experiment_variant_created
  ON experiments.experiment_variant (application_id, experiment_id, created_at, id);
ALTER TABLE experiments.experiment_variant ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.experiment_variant
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.experiment_variant TO ems_experiments;
