-- Sums of steps by UTC day of their trace's arrival, type, status, model and provider; '' stands for null. `key` is a hash of
-- the dimensions, which may have any length.
CREATE TABLE traces.step_day (
  application_id uuid NOT NULL,
  day date NOT NULL,
  key uuid NOT NULL,
  org_id text NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  rows bigint NOT NULL,
  errored bigint NOT NULL,
  duration_rows bigint NOT NULL,
  duration numeric NOT NULL,
  cost_rows bigint NOT NULL,
  cost numeric NOT NULL,
  unpriced bigint NOT NULL,
  usage_rows bigint NOT NULL,
  input numeric NOT NULL,
  cached numeric NOT NULL,
  writes numeric NOT NULL,
  output numeric NOT NULL,
  reasoning numeric NOT NULL,
  CONSTRAINT step_day_pkey PRIMARY KEY (application_id, day, key)
) WITH (fillfactor = 70);
-- Histograms of their durations.
CREATE TABLE traces.step_day_duration (
  application_id uuid NOT NULL,
  day date NOT NULL,
  key uuid NOT NULL,
  bucket integer NOT NULL,
  hits bigint NOT NULL,
  CONSTRAINT step_day_duration_pkey PRIMARY KEY (application_id, day, key, bucket)
) WITH (fillfactor = 70);
-- Changes of sums, which the transactions of the steps add, and which are folded into the sums soon afterwards.
CREATE TABLE traces.step_change (
  application_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id text NOT NULL,
  changes json NOT NULL,
  CONSTRAINT step_change_pkey PRIMARY KEY (application_id, id)
);
-- Applications whose sums lack steps that were archived before there were sums: the end of those.
CREATE TABLE traces.step_day_start (
  application_id uuid NOT NULL,
  starts timestamptz(3) NOT NULL,
  CONSTRAINT step_day_start_pkey PRIMARY KEY (application_id)
);

ALTER TABLE traces.trace NO FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.trace_step NO FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.archive_batch NO FORCE ROW LEVEL SECURITY;
INSERT INTO traces.step_day_start SELECT application_id, max(ends) FROM traces.archive_batch WHERE state = 'dropped' GROUP BY 1;
INSERT INTO traces.step_day (application_id, day, key, org_id, type, status, model, provider, rows, errored, duration_rows, duration,
    cost_rows, cost, unpriced, usage_rows, input, cached, writes, output, reasoning)
  SELECT application_id, (created_at AT TIME ZONE 'UTC')::date,
    left(encode(sha256(convert_to(type || chr(1) || status || chr(1) || coalesce(model, '') || chr(1) || coalesce(provider, ''),
      'UTF8')), 'hex'), 32)::uuid,
    min(org_id), type, status, coalesce(model, ''), coalesce(provider, ''),
    count(*), count(*) FILTER (WHERE status = 'error'), count(duration_ms), coalesce(sum(duration_ms), 0),
    count(cost), coalesce(sum(cost::text::numeric), 0), sum(unpriced_steps), count(input_tokens),
    coalesce(sum(input_tokens), 0), coalesce(sum(cached_input_tokens), 0), coalesce(sum(cache_write_tokens), 0),
    coalesce(sum(output_tokens), 0), coalesce(sum(reasoning_tokens), 0)
  FROM reporting.step_v1 GROUP BY application_id, 2, type, status, coalesce(model, ''), coalesce(provider, '');
INSERT INTO traces.step_day_duration (application_id, day, key, bucket, hits)
  SELECT application_id, (created_at AT TIME ZONE 'UTC')::date,
    left(encode(sha256(convert_to(type || chr(1) || status || chr(1) || coalesce(model, '') || chr(1) || coalesce(provider, ''),
      'UTF8')), 'hex'), 32)::uuid,
    CASE WHEN duration_ms > 0 THEN 100000 + ceil(ln(duration_ms::float8) / 0.01980262729617973)::int
      WHEN duration_ms = 0 THEN 0 ELSE -100000 - ceil(ln(-duration_ms::float8) / 0.01980262729617973)::int END,
    count(*)
  FROM reporting.step_v1 WHERE duration_ms IS NOT NULL GROUP BY 1, 2, 3, 4;
ALTER TABLE traces.trace FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.trace_step FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.archive_batch FORCE ROW LEVEL SECURITY;

ALTER TABLE traces.step_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.step_day_duration ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.step_change ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.step_day_start ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.step_day
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY tenant ON traces.step_day_duration
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY tenant ON traces.step_change
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY tenant ON traces.step_day_start
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON traces.step_day, traces.step_day_duration TO ems_traces;
GRANT SELECT, INSERT, UPDATE, DELETE ON traces.step_change TO ems_traces;
GRANT SELECT, INSERT ON traces.step_day_start TO ems_traces;

-- Reports add the changes that are not folded yet, so that they are exact. Days past their retention have no sums.
CREATE VIEW reporting.step_day_v1 AS
  SELECT d.application_id, d.org_id, d.day, d.type, d.status, nullif(d.model, '') AS model, nullif(d.provider, '') AS provider,
    d.rows, d.rows AS errored_rows, d.errored AS errored_true, d.duration_rows, d.duration AS duration_sum, d.cost_rows,
    d.cost AS cost_sum, d.rows AS unpriced_rows, d.unpriced AS unpriced_sum,
    d.usage_rows AS input_rows, d.input AS input_sum, d.usage_rows AS cached_rows, d.cached AS cached_sum,
    d.usage_rows AS writes_rows, d.writes AS writes_sum, d.usage_rows AS output_rows, d.output AS output_sum,
    d.usage_rows AS reasoning_rows, d.reasoning AS reasoning_sum
  FROM (
    SELECT application_id, org_id, day, type, status, model, provider, rows, errored, duration_rows, duration, cost_rows, cost,
      unpriced, usage_rows, input, cached, writes, output, reasoning
    FROM traces.step_day
    UNION ALL
    SELECT c.application_id, c.org_id, x.*
    FROM traces.step_change c CROSS JOIN LATERAL json_to_recordset(c.changes) x (day date, type text, status text, model text,
      provider text, rows bigint, errored bigint, duration_rows bigint, duration numeric, cost_rows bigint, cost numeric,
      unpriced bigint, usage_rows bigint, input numeric, cached numeric, writes numeric, output numeric, reasoning numeric)) d
  WHERE d.day >= (SELECT (traces.kept_since('traces') AT TIME ZONE 'UTC')::date);
CREATE VIEW reporting.step_day_duration_v1 AS
  SELECT d.application_id, d.org_id, d.day, d.type, d.status, nullif(d.model, '') AS model, nullif(d.provider, '') AS provider,
    d.bucket, d.hits
  FROM (
    SELECT s.application_id, s.org_id, s.day, s.type, s.status, s.model, s.provider, h.bucket, h.hits
    FROM traces.step_day s JOIN traces.step_day_duration h
      ON h.application_id = s.application_id AND h.day = s.day AND h.key = s.key
    UNION ALL
    SELECT c.application_id, c.org_id, x.day, x.type, x.status, x.model, x.provider, b.key::integer, b.value::text::bigint
    FROM traces.step_change c
    CROSS JOIN LATERAL json_to_recordset(c.changes) x (day date, type text, status text, model text, provider text, buckets json)
    CROSS JOIN LATERAL json_each(x.buckets) b) d
  WHERE d.day >= (SELECT (traces.kept_since('traces') AT TIME ZONE 'UTC')::date);
CREATE VIEW reporting.step_day_start_v1 AS SELECT application_id, starts FROM traces.step_day_start;
GRANT SELECT ON reporting.step_day_v1, reporting.step_day_duration_v1, reporting.step_day_start_v1 TO ems_reporting;
