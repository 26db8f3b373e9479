-- Moves the tables of traces from experiments without rewriting rows. Batches of archived traces and one day's stored
-- answers are copied.

ALTER TABLE experiments.trace SET SCHEMA traces;
ALTER TABLE experiments.trace_step SET SCHEMA traces;
ALTER TABLE experiments.trace_words SET SCHEMA traces;
ALTER TABLE experiments.trace_metadata SET SCHEMA traces;
ALTER TABLE experiments.trace_count SET SCHEMA traces;
ALTER TABLE experiments.trace_settling SET SCHEMA traces;
ALTER TABLE experiments.search_job SET SCHEMA traces;
ALTER TABLE experiments.log_message SET SCHEMA traces;
ALTER TABLE experiments.dropped_trace SET SCHEMA traces;
ALTER TABLE experiments.ingest_setting SET SCHEMA traces;

-- Time that the application took to answer, if its answer to a prompt created the trace.
ALTER TABLE traces.trace_settling ADD COLUMN answer_ms integer;

-- Partitions, including those detached to be dropped, do not follow their tables.
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'experiments'::regnamespace AND c.relkind = 'r'
      AND c.relname ~ '^(detached_)?trace_(step|words)_[0-9]{4}_[0-9]{2}$'
  LOOP
    EXECUTE format('ALTER TABLE experiments.%I SET SCHEMA traces', part.relname);
  END LOOP;
END $$;

-- The roles of traces get the rights that experiments' roles had. The policy `tenant` applies to all roles.
REVOKE ALL ON ALL TABLES IN SCHEMA traces FROM ems_experiments, ems_experiments_relay;
ALTER POLICY relay ON traces.trace TO ems_traces_relay;
ALTER POLICY relay ON traces.trace_settling TO ems_traces_relay;
ALTER POLICY relay ON traces.search_job TO ems_traces_relay;
DROP POLICY relay ON traces.dropped_trace;
DROP INDEX traces.dropped_trace_again;
ALTER TABLE traces.dropped_trace DROP COLUMN came_again;
DROP POLICY IF EXISTS kept ON traces.trace;

GRANT SELECT, INSERT, DELETE ON traces.trace TO ems_traces;
-- PostgreSQL lets only roles that may update a column lock a row: steps are added under their trace's lock.
GRANT UPDATE (reference_id, test_id, timestamp, metadata, type, event, root_at, is_root_child, has_error, steps, bytes,
  started_at, ended_at, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned,
  evals, modified_at, end_user, end_user_key, replaced_characters) ON traces.trace TO ems_traces;
GRANT SELECT (application_id, created_at) ON traces.trace TO ems_traces_relay;
GRANT SELECT, INSERT, DELETE ON traces.trace_step TO ems_traces;
-- Messages of log records are added to steps, which may have arrived before them.
GRANT UPDATE (size, input, output, fields) ON traces.trace_step TO ems_traces;
GRANT SELECT, INSERT, DELETE ON traces.trace_metadata TO ems_traces;
GRANT SELECT, INSERT, UPDATE ON traces.trace_count TO ems_traces;
GRANT SELECT, INSERT, UPDATE, DELETE ON traces.trace_words TO ems_traces;
GRANT SELECT, INSERT, UPDATE, DELETE ON traces.trace_settling TO ems_traces;
GRANT SELECT, DELETE ON traces.trace_settling TO ems_traces_relay;
GRANT UPDATE (leased_until) ON traces.trace_settling TO ems_traces_relay;
GRANT SELECT, INSERT, DELETE ON traces.search_job TO ems_traces;
GRANT SELECT ON traces.search_job TO ems_traces_relay;
GRANT UPDATE (leased_until) ON traces.search_job TO ems_traces_relay;
GRANT SELECT, INSERT, DELETE ON traces.log_message TO ems_traces;
GRANT SELECT, INSERT, DELETE ON traces.dropped_trace TO ems_traces;
GRANT SELECT, INSERT, UPDATE ON traces.ingest_setting TO ems_traces;

-- Batches of archived traces. Numbers continue those of experiments.
CREATE TABLE traces.archive_batch (
  application_id uuid NOT NULL,
  kind text NOT NULL,
  number integer GENERATED ALWAYS AS IDENTITY,
  starts timestamptz(3) NOT NULL,
  ends timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'open',
  rows bigint NOT NULL DEFAULT 0,
  checks jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT archive_batch_pkey PRIMARY KEY (application_id, kind, number),
  CONSTRAINT archive_batch_kind_check CHECK (kind = 'traces'),
  CONSTRAINT archive_batch_state_check CHECK (state IN ('open', 'published', 'dropped', 'restored', 'withdrawn')),
  CONSTRAINT archive_batch_interval_check CHECK (starts < ends)
);
CREATE INDEX archive_batch_starts ON traces.archive_batch (application_id, kind, starts);
ALTER TABLE experiments.archive_batch NO FORCE ROW LEVEL SECURITY;
WITH moved AS (DELETE FROM experiments.archive_batch WHERE kind = 'traces' RETURNING *)
INSERT INTO traces.archive_batch OVERRIDING SYSTEM VALUE SELECT * FROM moved;
SELECT setval('traces.archive_batch_number_seq', last_value, is_called) FROM experiments.archive_batch_number_seq;
ALTER TABLE experiments.archive_batch FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.archive_batch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.archive_batch
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON traces.archive_batch FOR SELECT TO ems_traces_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON traces.archive_batch TO ems_traces;
GRANT SELECT ON traces.archive_batch TO ems_traces_relay;
-- Readable part of the batches: rows that retention hides are in no batch here.
CREATE VIEW traces.archive_extent AS
  SELECT * FROM (
    SELECT application_id, kind, number, greatest(starts, (SELECT traces.kept_since('traces'))) AS starts, ends, state
    FROM traces.archive_batch
  ) batch WHERE starts < ends;
GRANT SELECT ON traces.archive_extent TO ems_traces;

-- Retention continues from its last state.
ALTER TABLE experiments.retention NO FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.retention NO FORCE ROW LEVEL SECURITY;
WITH moved AS (DELETE FROM experiments.retention WHERE kind = 'traces' RETURNING *)
INSERT INTO traces.retention SELECT * FROM moved;
ALTER TABLE experiments.retention FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.retention FORCE ROW LEVEL SECURITY;

-- A request that is repeated after the upgrade gets the stored answer.
ALTER TABLE experiments.idempotency NO FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.idempotency NO FORCE ROW LEVEL SECURITY;
INSERT INTO traces.idempotency SELECT * FROM experiments.idempotency
  WHERE rpc ~ '^ems\.experiments\.v1\.(Trace|Ingest|IngestSettings|Otlp)Service/' AND created_at > now() - interval '24 hours';
ALTER TABLE experiments.idempotency FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.idempotency FORCE ROW LEVEL SECURITY;

-- Functions and triggers name their tables with the schema, so those of traces are re-created.
DROP FUNCTION experiments.find_traces;
DROP TRIGGER audit_insert ON traces.ingest_setting;
DROP TRIGGER audit_update ON traces.ingest_setting;
DROP TRIGGER audit_delete ON traces.ingest_setting;
DROP TRIGGER count_insert ON traces.trace;
DROP TRIGGER count_delete ON traces.trace;
DROP TRIGGER count_move ON traces.trace;
DROP FUNCTION experiments.trace_count_keep, experiments.trace_count_move;

-- Processes of the previous version that are being replaced get an error as from a database that is starting up. They
-- answer 503, so that senders of traces retry. A later migration drops these views.
CREATE FUNCTION experiments.traces_moved() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'traces have a service of their own: this process is of the version before' USING ERRCODE = 'cannot_connect_now';
END $$;
DO $$
DECLARE
  moved text;
BEGIN
  FOREACH moved IN ARRAY '{trace,trace_step,trace_words,trace_metadata,trace_settling,search_job,log_message,ingest_setting}'::text[] LOOP
    EXECUTE format('CREATE VIEW experiments.%I AS SELECT * FROM traces.%I WHERE experiments.traces_moved() WITH LOCAL CHECK OPTION', moved, moved);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.%I TO ems_experiments', moved);
  END LOOP;
END $$;
