-- Model connections.
CREATE TABLE evaluation.model_connection (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  name text NOT NULL,
  provider text NOT NULL,
  base_url text,
  model text NOT NULL,
  api_key text NOT NULL,
  api_key_last_four text,
  input_per_million double precision,
  output_per_million double precision,
  requests_per_minute integer,
  tokens_per_minute integer,
  concurrency integer,
  is_default boolean NOT NULL,
  failure_streak integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  paused_at timestamptz(3),
  pause_reason text,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT model_connection_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT model_connection_provider_check CHECK (provider IN ('openai', 'anthropic', 'openai-compatible')),
  CONSTRAINT model_connection_prices_check CHECK ((input_per_million IS NULL) = (output_per_million IS NULL)),
  CONSTRAINT model_connection_paused_check CHECK ((paused_at IS NULL) = (pause_reason IS NULL))
);
CREATE UNIQUE INDEX model_connection_default ON evaluation.model_connection (application_id) WHERE is_default;
CREATE INDEX model_connection_created ON evaluation.model_connection (application_id, created_at, id);
ALTER TABLE evaluation.model_connection ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.model_connection
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON evaluation.model_connection TO ems_evaluation;
