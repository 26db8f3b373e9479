-- Sessions that have traces. Their totals are computed from the traces.
CREATE TABLE traces.session (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  external_id text NOT NULL,
  last_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT session_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX session_created ON traces.session (application_id, created_at, id);
CREATE INDEX session_last ON traces.session (application_id, last_at, id);
ALTER TABLE traces.session ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.session
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE, UPDATE (last_at) ON traces.session TO ems_traces;

ALTER TABLE traces.trace NO FORCE ROW LEVEL SECURITY;
INSERT INTO traces.session (application_id, id, org_id, external_id, last_at, created_at)
  SELECT application_id, session_id, min(org_id), min(session), max(timestamp), min(created_at)
  FROM traces.trace WHERE session_id IS NOT NULL GROUP BY application_id, session_id;
ALTER TABLE traces.trace FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.session FORCE ROW LEVEL SECURITY;

-- Returns the sessions of the traces that contain all words.
CREATE FUNCTION traces.find_sessions(needle text) RETURNS SETOF uuid LANGUAGE sql STABLE STRICT
SET search_path TO pg_catalog, pg_temp AS $$
  SELECT DISTINCT t.session_id FROM traces.find_traces(needle) found (id)
  JOIN traces.trace t ON t.application_id = nullif(current_setting('ems.application_id', true), '')::uuid AND t.id = found.id
  WHERE t.session_id IS NOT NULL
$$;
REVOKE ALL ON FUNCTION traces.find_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION traces.find_sessions TO ems_traces;

-- Reports about sessions: totals of their traces.
CREATE VIEW reporting.session_v1 AS
  SELECT s.application_id, s.org_id, s.id, s.external_id, s.created_at, s.last_at, x.end_user, x.started_at, x.turns, x.errors,
    x.duration_ms, x.cost, x.unpriced_steps, x.input_tokens, x.cached_input_tokens, x.cache_write_tokens, x.output_tokens,
    x.reasoning_tokens
  FROM traces.session s CROSS JOIN LATERAL (
    SELECT count(*) AS turns, count(*) FILTER (WHERE t.has_error) AS errors,
      (array_agg(t.end_user ORDER BY t.timestamp, t.id) FILTER (WHERE t.end_user IS NOT NULL))[1] AS end_user,
      min(t.timestamp) AS started_at, coalesce(sum(t.total_duration_ms), 0)::bigint AS duration_ms,
      (sum(t.total_cost::text::numeric)
        FILTER (WHERE t.priced_steps > 0 OR t.total_cost > 0 OR t.pinned & 4 > 0))::float8 AS cost,
      coalesce(sum(t.unpriced_steps), 0)::bigint AS unpriced_steps,
      coalesce(sum(t.total_prompt_tokens), 0)::bigint AS input_tokens,
      coalesce(sum(t.total_cached_tokens), 0)::bigint AS cached_input_tokens,
      coalesce(sum(t.total_cache_write_tokens), 0)::bigint AS cache_write_tokens,
      coalesce(sum(t.total_completion_tokens), 0)::bigint AS output_tokens,
      coalesce(sum(t.total_reasoning_tokens), 0)::bigint AS reasoning_tokens
    FROM traces.trace t WHERE t.application_id = s.application_id AND t.session_id = s.id) x
  WHERE x.turns > 0;
GRANT SELECT ON reporting.session_v1 TO ems_reporting;
