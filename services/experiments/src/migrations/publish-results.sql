-- Views of experiments for traces. A view runs as its owner, but the caller's tenant and retention limit it like the
-- tables.
CREATE VIEW traces.test_v1 AS
  SELECT application_id, id, created_at, status, trace_id, prompt
  FROM experiments.test;
GRANT SELECT ON traces.test_v1 TO ems_traces;

CREATE VIEW traces.evaluation_v1 AS
  SELECT application_id, id, created_at, score_micro, test_id, run_id, task_id, topic_id, definition_id, passed, org_id,
    definition_type, status, message, results, waiting_for, expected, modified_at, definition_version, judge_version,
    model_connection_id, model, input_tokens, output_tokens, cost_micro, duration_ms, attempts, replaced_by,
    uncertain_cost_micro, estimated_tokens
  FROM experiments.evaluation;
GRANT SELECT ON traces.evaluation_v1 TO ems_traces;

-- The archived range of results, from batches of results only: batches of traces belong to the traces service.
CREATE OR REPLACE VIEW experiments.archive_extent AS
  SELECT * FROM (
    SELECT application_id, kind, number, greatest(starts, (SELECT experiments.kept_since('results'))) AS starts, ends, state
    FROM experiments.archive_batch
    WHERE kind = 'results'
  ) batch WHERE starts < ends;
CREATE VIEW traces.result_archive_v1 AS
  SELECT application_id, kind, number, starts, ends, state
  FROM experiments.archive_extent;
GRANT SELECT ON traces.result_archive_v1 TO ems_traces;

-- For traces' workers, across applications: the sample rates of live traffic, and running erasures, which block
-- archiving. These views run as the caller, since the owner sees only one application.
CREATE POLICY traces ON experiments.execution_setting FOR SELECT TO ems_traces_relay USING (true);
GRANT SELECT (application_id, sample_rate) ON experiments.execution_setting TO ems_traces_relay;
CREATE VIEW traces.sample_rate_v1 WITH (security_invoker = true) AS
  SELECT application_id, sample_rate
  FROM experiments.execution_setting;
GRANT SELECT ON traces.sample_rate_v1 TO ems_traces_relay;
CREATE POLICY traces ON experiments.erasure FOR SELECT TO ems_traces_relay USING (status = 'RUNNING');
GRANT SELECT (application_id, status) ON experiments.erasure TO ems_traces_relay;
CREATE VIEW traces.running_erasure_v1 WITH (security_invoker = true) AS
  SELECT application_id
  FROM experiments.erasure
  WHERE status = 'RUNNING';
GRANT SELECT ON traces.running_erasure_v1 TO ems_traces_relay;

-- A trace to be erased, with its counts.
ALTER TABLE experiments.erasure_trace ADD COLUMN test_id uuid, ADD COLUMN steps integer;
GRANT UPDATE (test_id, steps) ON experiments.erasure_trace TO ems_experiments;
