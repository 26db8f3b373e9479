-- Evaluations of tests, partitioned by month.

-- created_at is that of the test. For scores, column order and missing foreign keys see tests/schema.sql.
CREATE TABLE experiments.evaluation (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  score_micro bigint,
  test_id uuid NOT NULL,
  run_id uuid NOT NULL,
  task_id uuid NOT NULL,
  topic_id uuid,
  definition_id uuid NOT NULL,
  passed boolean,
  org_id text NOT NULL,
  definition_type text NOT NULL,
  status text NOT NULL,
  message text,
  results json,
  waiting_for text,
  expected json,
  -- A row without modified_at was modified when it was created.
  modified_at timestamptz(3),
  definition_version integer,
  judge_version text,
  model_connection_id uuid,
  model text,
  input_tokens bigint,
  output_tokens bigint,
  cost_micro bigint,
  duration_ms integer,
  attempts integer,
  replaced_by uuid,
  -- Possible cost of model calls in addition to what providers reported.
  uncertain_cost_micro bigint,
  -- Estimated tokens of model calls without usable usage from the provider.
  estimated_tokens bigint,
  CONSTRAINT evaluation_pkey PRIMARY KEY (application_id, created_at, id),
  CONSTRAINT evaluation_definition_type_check
    CHECK (definition_type IN ('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')),
  CONSTRAINT evaluation_status_check CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'))
) PARTITION BY RANGE (created_at);
CREATE INDEX evaluation_id ON experiments.evaluation (application_id, id);
CREATE INDEX evaluation_test ON experiments.evaluation (application_id, test_id);
ALTER TABLE experiments.evaluation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.evaluation
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.evaluation TO ems_experiments;

CREATE VIEW reporting.evaluation_v1 AS
  SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
    score_micro, passed, created_at, coalesce(modified_at, created_at) AS modified_at, input_tokens, output_tokens,
    cost_micro, duration_ms, judge_version, model, uncertain_cost_micro, estimated_tokens
  FROM experiments.evaluation
  WHERE replaced_by IS NULL;
GRANT SELECT ON reporting.evaluation_v1 TO ems_reporting;

-- Catalog's list of definitions. The reference id has the digits of an OpenTelemetry trace id, which also finds
-- definitions.
CREATE VIEW catalog.trace_definition_v1 AS
  SELECT t.application_id, t.id AS trace_id, e.definition_id, t.reference_id
  FROM experiments.trace t
  JOIN experiments.evaluation e ON e.application_id = t.application_id AND e.test_id = t.test_id;
GRANT SELECT ON catalog.trace_definition_v1 TO ems_catalog;
