-- Runs, and the sums of their results: per run, and per run and definition.
CREATE TABLE experiments.run (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  title text,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  experiment_variant_id uuid,
  CONSTRAINT run_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT run_type_check CHECK (type IN ('MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING')),
  CONSTRAINT run_status_check CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'))
);
CREATE INDEX run_created ON experiments.run (application_id, created_at, id);
CREATE INDEX run_variant ON experiments.run (application_id, experiment_variant_id)
  WHERE experiment_variant_id IS NOT NULL;
ALTER TABLE experiments.run ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.run
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.run TO ems_experiments;

-- The fillfactor leaves room for updates in place.
CREATE TABLE experiments.run_stat (
  application_id uuid NOT NULL,
  run_id uuid NOT NULL,
  org_id text NOT NULL,
  tests bigint NOT NULL,
  ended bigint NOT NULL,
  counted bigint NOT NULL,
  passed bigint NOT NULL,
  score_rows bigint NOT NULL,
  score_sum numeric NOT NULL,
  CONSTRAINT run_stat_pkey PRIMARY KEY (application_id, run_id)
) WITH (fillfactor = 70);
ALTER TABLE experiments.run_stat ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.run_stat
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.run_stat TO ems_experiments;

-- Scores are summed in quarters of a millionth, so that scores from 1 to 5 scaled to 0 to 1 are whole.
CREATE TABLE experiments.run_definition (
  application_id uuid NOT NULL,
  run_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  definition_type text NOT NULL,
  org_id text NOT NULL,
  counted bigint NOT NULL,
  passed bigint NOT NULL,
  score_rows bigint NOT NULL,
  score_sum numeric NOT NULL,
  CONSTRAINT run_definition_pkey PRIMARY KEY (application_id, run_id, definition_id, definition_type)
) WITH (fillfactor = 70);
ALTER TABLE experiments.run_definition ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.run_definition
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.run_definition TO ems_experiments;
