-- Baseline: the migration MoveTraces of services/traces takes these tables over. Their columns now are in services/traces/schema.txt.
-- Traces, their steps and the pairs of their metadata.
CREATE TABLE experiments.trace (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  reference_id text,
  test_id uuid,
  timestamp timestamptz(3) NOT NULL,
  metadata json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Another id of the trace, for look-ups.
  earlier_id uuid,
  type text NOT NULL,
  event text,
  root_at timestamptz(3),
  is_root_child boolean NOT NULL,
  has_error boolean NOT NULL,
  steps integer NOT NULL,
  bytes integer NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  step_count integer NOT NULL,
  total_cost double precision NOT NULL,
  total_duration_ms bigint NOT NULL,
  total_prompt_tokens bigint NOT NULL,
  total_completion_tokens bigint NOT NULL,
  pinned integer NOT NULL,
  evals json,
  modified_at timestamptz(3) NOT NULL,
  -- The application's end user, and a key of the user with constant length.
  end_user text,
  end_user_key uuid,
  -- Number of received characters that PostgreSQL cannot store.
  replaced_characters integer NOT NULL DEFAULT 0,
  CONSTRAINT trace_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX trace_created ON experiments.trace (application_id, created_at, id);
CREATE INDEX trace_timestamp ON experiments.trace (application_id, timestamp, id);
CREATE INDEX trace_test ON experiments.trace (application_id, test_id);
CREATE INDEX trace_reference ON experiments.trace (application_id, reference_id);
CREATE UNIQUE INDEX trace_earlier ON experiments.trace (application_id, earlier_id) WHERE earlier_id IS NOT NULL;
-- Filters of traces.
CREATE INDEX trace_error ON experiments.trace (application_id, has_error, created_at, id);
CREATE INDEX trace_cost ON experiments.trace (application_id, total_cost, id);
CREATE INDEX trace_duration ON experiments.trace (application_id, total_duration_ms, id);
CREATE INDEX trace_evaluated ON experiments.trace (application_id, created_at, id)
  WHERE evals IS NOT NULL OR test_id IS NOT NULL;
CREATE INDEX trace_end_user ON experiments.trace (application_id, end_user_key, created_at, id)
  WHERE end_user_key IS NOT NULL;
ALTER TABLE experiments.trace ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.trace
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The relay looks for applications that have rows past retention.
CREATE POLICY relay ON experiments.trace FOR SELECT TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, DELETE ON experiments.trace TO ems_experiments;
-- PostgreSQL lets only roles that may update a column lock a row: steps are added under their trace's lock.
GRANT UPDATE (reference_id, test_id, timestamp, metadata, type, event, root_at, is_root_child, has_error, steps, bytes,
  started_at, ended_at, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned,
  evals, modified_at, end_user, end_user_key, replaced_characters)
  ON experiments.trace TO ems_experiments;
GRANT SELECT (application_id, created_at) ON experiments.trace TO ems_experiments_relay;

-- Steps are partitioned by the month of their trace's arrival. They have no foreign key to the trace: attaching a
-- month would lock all traces against writes. Payloads are never queried.
CREATE TABLE experiments.trace_step (
  application_id uuid NOT NULL,
  month timestamptz(3) NOT NULL,
  trace_id uuid NOT NULL,
  id uuid NOT NULL,
  parent_id uuid,
  timestamp timestamptz(3) NOT NULL,
  position integer NOT NULL,
  size integer NOT NULL,
  type text NOT NULL,
  event text,
  input text,
  output text,
  fields json NOT NULL,
  -- The model call that the step's span records.
  call_id uuid,
  CONSTRAINT trace_step_pkey PRIMARY KEY (application_id, trace_id, id, month),
  CONSTRAINT trace_step_type_check
    CHECK (type IN ('llm', 'tool', 'retriever', 'reranker', 'agent', 'embedding', 'guardrail', 'evaluator', 'log',
      'group', 'request', 'response')),
  CONSTRAINT trace_step_event_check CHECK (event IN ('start', 'end'))
) PARTITION BY RANGE (month);
-- New spans find duplicates by their calls.
CREATE INDEX trace_step_call ON experiments.trace_step (application_id, trace_id, call_id) WHERE call_id <> id;
CREATE INDEX trace_step_call_parent ON experiments.trace_step (application_id, trace_id, parent_id)
  WHERE call_id IS NOT NULL AND parent_id IS NOT NULL;
ALTER TABLE experiments.trace_step ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.trace_step
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON experiments.trace_step TO ems_experiments;
-- Messages of log records are added to steps, which may have arrived before them.
GRANT UPDATE (size, input, output, fields) ON experiments.trace_step TO ems_experiments;

-- Filters of traces use a hash of each pair of key and value.
CREATE TABLE experiments.trace_metadata (
  application_id uuid NOT NULL,
  pair bigint NOT NULL,
  trace_id uuid NOT NULL,
  CONSTRAINT trace_metadata_pkey PRIMARY KEY (application_id, pair, trace_id)
);
ALTER TABLE experiments.trace_metadata ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.trace_metadata
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON experiments.trace_metadata TO ems_experiments;
