-- Tests, partitioned by month, and the function that creates the partitions of all monthly tables.

-- Rows have all columns of reports, so that these need no joins. Scores are whole millionths: sums are exact in any
-- order. No foreign keys: the statement that inserts results has checked their run.
--
-- Columns of fixed size come first, up to `passed`, to avoid padding.
CREATE TABLE experiments.test (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  score_micro bigint,
  task_id uuid NOT NULL,
  topic_id uuid,
  run_id uuid NOT NULL,
  duration_ms integer,
  passed boolean,
  org_id text NOT NULL,
  run_type text NOT NULL,
  status text NOT NULL,
  definition_ids uuid[] NOT NULL,
  evaluation_count integer NOT NULL DEFAULT 0,
  evaluation_passed integer NOT NULL DEFAULT 0,
  message text,
  waiting_for text,
  prompt json,
  -- A row without modified_at was modified when it was created.
  modified_at timestamptz(3),
  trace_id uuid,
  trace_steps integer,
  CONSTRAINT test_pkey PRIMARY KEY (application_id, created_at, id),
  CONSTRAINT test_run_type_check CHECK (run_type IN ('MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING')),
  CONSTRAINT test_status_check CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'))
) PARTITION BY RANGE (created_at);
CREATE INDEX test_id ON experiments.test (application_id, id);
CREATE INDEX test_run ON experiments.test (application_id, run_id, created_at);
CREATE INDEX test_task ON experiments.test (application_id, task_id, created_at);
ALTER TABLE experiments.test ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.test
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The relay looks for applications that have rows past retention.
CREATE POLICY relay ON experiments.test FOR SELECT TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.test TO ems_experiments;
GRANT SELECT (application_id, created_at) ON experiments.test TO ems_experiments_relay;

CREATE VIEW reporting.test_v1 AS
  SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status, score_micro, passed, duration_ms,
    created_at, coalesce(modified_at, created_at) AS modified_at
  FROM experiments.test;
GRANT SELECT ON reporting.test_v1 TO ems_reporting;

-- The service must not change the schema, but results arrive for any month. This function is the only exception: it
-- creates the partitions for the months of `days` and the month after each. For existing months it only looks them up.
--
-- Readers and writers do not wait: a table is created separately and then attached. The creator holds the lock until
-- its transaction ends; concurrent callers then find the table. Call it before taking any row lock.
CREATE FUNCTION experiments.add_months(days date[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  parent text;
  part text;
  month date;
BEGIN
  IF EXISTS (SELECT FROM unnest(days) day
      WHERE day IS NULL OR day NOT BETWEEN '2020-01-01' AND now() + interval '14 months') THEN
    RAISE EXCEPTION 'results are kept from 2020 until a year ahead' USING ERRCODE = 'datetime_field_overflow';
  END IF;
  FOR parent, month, part IN
    SELECT p.parent, m.month, p.parent || to_char(m.month, '_YYYY_MM')
    FROM (SELECT DISTINCT (date_trunc('month', day) + ahead * interval '1 month')::date AS month
          FROM unnest(days) day, generate_series(0, 1) ahead) m,
      unnest('{test,evaluation,trace_step,trace_words}'::text[]) p (parent)
    ORDER BY m.month, p.parent
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
    PERFORM pg_advisory_xact_lock(hashtextextended('experiments.add_months', 0));
    -- Looked up in the table again: to_regclass may remember that there was none.
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
    EXECUTE format('CREATE TABLE experiments.%I (LIKE experiments.%I INCLUDING ALL)', part, parent);
    EXECUTE format('ALTER TABLE experiments.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    EXECUTE format('CREATE POLICY tenant ON experiments.%I
      USING (application_id = nullif(current_setting(''ems.application_id'', true), '''')::uuid)', part);
    IF parent = 'trace_words' THEN
      EXECUTE format('ALTER TABLE experiments.%I ALTER COLUMN words SET STATISTICS 0', part);
    END IF;
    EXECUTE format('ALTER TABLE experiments.%I ATTACH PARTITION experiments.%I FOR VALUES FROM (%L) TO (%L)',
      parent, part, month::timestamptz, (month + interval '1 month')::timestamptz);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION experiments.add_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.add_months TO ems_experiments;
