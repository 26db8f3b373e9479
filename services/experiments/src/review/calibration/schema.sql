-- The last calibration of each definition's judge.
CREATE TABLE experiments.judge_calibration (
  application_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  org_id text NOT NULL,
  marks integer NOT NULL DEFAULT 1,
  measured_marks integer NOT NULL DEFAULT 0,
  definition_version integer,
  judge_version text,
  model text,
  human_passed integer NOT NULL DEFAULT 0,
  human_failed integer NOT NULL DEFAULT 0,
  undecided integer NOT NULL DEFAULT 0,
  sensitivity double precision,
  specificity double precision,
  kappa double precision,
  calculated_at timestamptz(3),
  CONSTRAINT judge_calibration_pkey PRIMARY KEY (application_id, definition_id)
) WITH (fillfactor = 70);
CREATE INDEX judge_calibration_due ON experiments.judge_calibration (application_id, definition_id)
  WHERE marks > measured_marks;
ALTER TABLE experiments.judge_calibration ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.judge_calibration
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.judge_calibration TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON experiments.judge_calibration TO ems_experiments;
GRANT SELECT ON experiments.judge_calibration TO ems_experiments_relay;

-- Catalog's definitions.
CREATE VIEW catalog.judge_calibration_v1 AS
  SELECT c.application_id, c.definition_id, c.definition_version, c.judge_version, c.model, c.human_passed,
    c.human_failed, c.undecided, c.sensitivity, c.specificity, c.kappa, c.calculated_at,
    c.kappa >= coalesce(s.kappa_floor, 0.4) AS reliable
  FROM experiments.judge_calibration c
  LEFT JOIN experiments.execution_setting s ON s.application_id = c.application_id
  WHERE c.calculated_at IS NOT NULL;
GRANT SELECT ON catalog.judge_calibration_v1 TO ems_catalog;

-- Unreliable judges in reports of evaluations.
CREATE VIEW reporting.judge_calibration_v1 AS
  SELECT c.application_id, c.org_id, c.definition_id, c.kappa, c.kappa >= coalesce(s.kappa_floor, 0.4) AS reliable
  FROM experiments.judge_calibration c
  LEFT JOIN experiments.execution_setting s ON s.application_id = c.application_id
  WHERE c.calculated_at IS NOT NULL;
GRANT SELECT ON reporting.judge_calibration_v1 TO ems_reporting;
