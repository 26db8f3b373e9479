-- Model calls with their cost.
CREATE TABLE evaluation.model_call (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  connection_id uuid NOT NULL,
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  tokens bigint NOT NULL,
  cost_micro bigint NOT NULL,
  -- False for calls that still wait for room in the application's budgets.
  is_reserved boolean NOT NULL DEFAULT false,
  -- Part of the tokens that is estimated from texts, because the provider reported no usable usage.
  estimated_tokens bigint NOT NULL DEFAULT 0,
  CONSTRAINT model_call_pkey PRIMARY KEY (application_id, id)
);
-- The window of a connection.
CREATE INDEX model_call_window ON evaluation.model_call (connection_id, started_at);
-- Calls in flight.
CREATE INDEX model_call_open ON evaluation.model_call (application_id, expires_at) WHERE ended_at IS NULL;
CREATE INDEX model_call_ended ON evaluation.model_call (ended_at) WHERE ended_at IS NOT NULL;
ALTER TABLE evaluation.model_call ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.model_call
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON evaluation.model_call TO ems_evaluation_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON evaluation.model_call TO ems_evaluation;
GRANT SELECT, INSERT, DELETE ON evaluation.model_call TO ems_evaluation_relay;
