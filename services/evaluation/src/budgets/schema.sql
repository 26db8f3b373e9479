-- Sums that budgets are compared with: the spend of each application by day and by month.
CREATE TABLE evaluation.spending (
  application_id uuid NOT NULL,
  period text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  org_id text NOT NULL,
  cost_micro bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  money_notified integer NOT NULL DEFAULT 0,
  tokens_notified integer NOT NULL DEFAULT 0,
  -- Spend of calls that were sent and not answered, separate from certain spend.
  uncertain_cost_micro bigint NOT NULL DEFAULT 0,
  uncertain_tokens bigint NOT NULL DEFAULT 0,
  -- Part of the certain spend that is estimated from texts, because providers reported no usable usage.
  estimated_cost_micro bigint NOT NULL DEFAULT 0,
  estimated_tokens bigint NOT NULL DEFAULT 0,
  CONSTRAINT spending_pkey PRIMARY KEY (application_id, period, starts_at),
  CONSTRAINT spending_period_check CHECK (period IN ('day', 'month'))
);
ALTER TABLE evaluation.spending ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.spending
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON evaluation.spending TO ems_evaluation;
