-- Jobs: evaluations, simulated prompts, and document tests and their questions.
CREATE TABLE evaluation.job (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  kind text NOT NULL,
  test_id uuid NOT NULL,
  needs_model boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  waiting_for text,
  consumed json,
  outcome json,
  finished_at timestamptz(3),
  -- Replies that are paid for are stored until the job ends.
  replies json,
  CONSTRAINT job_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT job_due_check CHECK ((finished_at IS NULL) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT job_kind_check CHECK (kind IN ('JUDGE', 'PROMPT', 'DOCUMENTS', 'QUESTION'))
);
-- Claims rotate between applications; jobs without a model have separate claims.
CREATE INDEX job_due ON evaluation.job (needs_model, application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX job_waiting ON evaluation.job (application_id, waiting_for) WHERE waiting_for IS NOT NULL;
CREATE INDEX job_finished ON evaluation.job (finished_at) WHERE finished_at IS NOT NULL;
ALTER TABLE evaluation.job ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.job
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON evaluation.job TO ems_evaluation_relay USING (true);
GRANT SELECT ON evaluation.job TO ems_evaluation;
GRANT SELECT, INSERT, DELETE ON evaluation.job TO ems_evaluation_relay;
GRANT UPDATE (next_attempt_at) ON evaluation.job TO ems_evaluation;
GRANT UPDATE (attempts, next_attempt_at, leased_until, waiting_for, consumed, outcome, finished_at, replies)
  ON evaluation.job TO ems_evaluation_relay;
