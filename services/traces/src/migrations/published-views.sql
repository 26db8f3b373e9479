-- Views of traces for experiments. A view runs as its owner; the caller's tenant and retention limit it as they limit
-- the tables.
CREATE VIEW experiments.trace_v1 AS
  SELECT application_id, id, earlier_id, reference_id, test_id, timestamp, created_at, steps, end_user_key, total_cost,
    total_prompt_tokens, total_completion_tokens, started_at, ended_at
  FROM traces.trace;
GRANT SELECT ON experiments.trace_v1 TO ems_experiments;

-- Traces that are only in the archive.
CREATE VIEW experiments.archived_trace_v1 AS
  SELECT application_id, id, created_at
  FROM traces.dropped_trace;
GRANT SELECT ON experiments.archived_trace_v1 TO ems_experiments;

-- Traces that are incomplete, or complete but not yet handled by experiments.
CREATE VIEW experiments.incomplete_trace_v1 AS
  SELECT application_id, trace_id, test_id
  FROM traces.trace_settling;
GRANT SELECT ON experiments.incomplete_trace_v1 TO ems_experiments;

-- The archived part of traces.
CREATE VIEW experiments.trace_archive_v1 AS
  SELECT application_id, kind, number, starts, ends, state
  FROM traces.archive_extent;
GRANT SELECT ON experiments.trace_archive_v1 TO ems_experiments;

-- Retention of traces in days, and its start, from the installation's settings. Nulls mean no limit.
CREATE FUNCTION experiments.trace_retention_v1(OUT days integer, OUT since timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT (SELECT r.days FROM traces.retention r WHERE r.kind = 'traces'), nullif(traces.kept_since('traces'), '-infinity');
END;
REVOKE ALL ON FUNCTION experiments.trace_retention_v1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION experiments.trace_retention_v1 TO ems_experiments;
