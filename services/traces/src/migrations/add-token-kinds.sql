-- Constant defaults need no rewrite of the table.
ALTER TABLE traces.trace
  ADD COLUMN total_cached_tokens bigint NOT NULL DEFAULT 0,
  ADD COLUMN total_cache_write_tokens bigint NOT NULL DEFAULT 0,
  ADD COLUMN total_reasoning_tokens bigint NOT NULL DEFAULT 0,
  ADD COLUMN priced_steps integer NOT NULL DEFAULT 0,
  ADD COLUMN unpriced_steps integer NOT NULL DEFAULT 0,
  ADD COLUMN holds_usage boolean NOT NULL DEFAULT false;
GRANT UPDATE (total_cached_tokens, total_cache_write_tokens, total_reasoning_tokens, priced_steps, unpriced_steps, holds_usage)
  ON traces.trace TO ems_traces;

-- `known_cost` is null if no step has a known cost. Older traces have one if it is not zero. Bit 4 of `pinned`: a trace event
-- stated the cost.
CREATE OR REPLACE VIEW experiments.trace_v1 AS
  SELECT application_id, id, earlier_id, reference_id, test_id, timestamp, created_at, steps, end_user_key, total_cost,
    total_prompt_tokens, total_completion_tokens, started_at, ended_at,
    CASE WHEN priced_steps > 0 OR total_cost > 0 OR pinned & 4 > 0 THEN total_cost END AS known_cost,
    total_cached_tokens, total_cache_write_tokens, total_reasoning_tokens, unpriced_steps
  FROM traces.trace;

-- Prices of models that applications set.
CREATE TABLE traces.model_price_list (
  application_id uuid NOT NULL,
  org_id text NOT NULL,
  prices json NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT model_price_list_pkey PRIMARY KEY (application_id)
);
ALTER TABLE traces.model_price_list ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.model_price_list
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON traces.model_price_list TO ems_traces;
