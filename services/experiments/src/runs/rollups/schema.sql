-- Sums of results by UTC day and by task, updated by the transaction that changes the results. The fillfactor leaves
-- room for updates in place.

-- Sums by task and day, and by definition, for catalog's measures of tasks.
CREATE TABLE experiments.task_day (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  day date NOT NULL,
  is_monitoring boolean NOT NULL,
  tests bigint NOT NULL,
  tests_passed bigint NOT NULL,
  CONSTRAINT task_day_pkey PRIMARY KEY (application_id, task_id, day, is_monitoring)
) WITH (fillfactor = 70);
CREATE INDEX task_day_day ON experiments.task_day (application_id, day);
ALTER TABLE experiments.task_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_day
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.task_day TO ems_experiments;

-- Scores are summed in quarters of a millionth, so that scores from 1 to 5 scaled to 0 to 1 are whole.
CREATE TABLE experiments.task_definition_day (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  day date NOT NULL,
  is_monitoring boolean NOT NULL,
  evaluations bigint NOT NULL,
  evaluations_passed bigint NOT NULL,
  scores bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_squares numeric NOT NULL,
  CONSTRAINT task_definition_day_pkey PRIMARY KEY (application_id, task_id, definition_id, day, is_monitoring)
) WITH (fillfactor = 70);
CREATE INDEX task_definition_day_day ON experiments.task_definition_day (application_id, day);
ALTER TABLE experiments.task_definition_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_definition_day
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.task_definition_day TO ems_experiments;

CREATE TABLE experiments.task_stat (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  org_id text NOT NULL,
  tests bigint NOT NULL,
  passed_rows bigint NOT NULL,
  passed_true bigint NOT NULL,
  last_test_at timestamptz(3) NOT NULL,
  CONSTRAINT task_stat_pkey PRIMARY KEY (application_id, task_id)
) WITH (fillfactor = 70);
ALTER TABLE experiments.task_stat ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_stat
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.task_stat TO ems_experiments;

-- In keys, here and in evaluation_day, the all-zero UUID stands for a missing topic.
CREATE TABLE experiments.test_day (
  application_id uuid NOT NULL,
  day date NOT NULL,
  topic_id uuid NOT NULL,
  run_type text NOT NULL,
  status text NOT NULL,
  org_id text NOT NULL,
  rows bigint NOT NULL,
  passed_rows bigint NOT NULL,
  passed_true bigint NOT NULL,
  score_rows bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_min bigint,
  score_max bigint,
  duration_rows bigint NOT NULL,
  duration_sum numeric NOT NULL,
  duration_min integer,
  duration_max integer,
  CONSTRAINT test_day_pkey PRIMARY KEY (application_id, day, topic_id, run_type, status)
) WITH (fillfactor = 70);
ALTER TABLE experiments.test_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.test_day
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.test_day TO ems_experiments;

CREATE TABLE experiments.evaluation_day (
  application_id uuid NOT NULL,
  day date NOT NULL,
  topic_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  definition_type text NOT NULL,
  status text NOT NULL,
  org_id text NOT NULL,
  rows bigint NOT NULL,
  passed_rows bigint NOT NULL,
  passed_true bigint NOT NULL,
  score_rows bigint NOT NULL,
  score_sum numeric NOT NULL,
  score_min bigint,
  score_max bigint,
  CONSTRAINT evaluation_day_pkey PRIMARY KEY (application_id, day, topic_id, definition_id, definition_type, status)
) WITH (fillfactor = 70);
ALTER TABLE experiments.evaluation_day ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.evaluation_day
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.evaluation_day TO ems_experiments;

-- Excludes groups without any remaining results.
CREATE VIEW reporting.test_day_v1 AS
  SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id, run_type,
    status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max, duration_rows, duration_sum,
    duration_min, duration_max
  FROM experiments.test_day
  WHERE rows > 0;
GRANT SELECT ON reporting.test_day_v1 TO ems_reporting;

-- Excludes groups without any remaining results.
CREATE VIEW reporting.evaluation_day_v1 AS
  SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id,
    definition_id, definition_type, status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max
  FROM experiments.evaluation_day
  WHERE rows > 0;
GRANT SELECT ON reporting.evaluation_day_v1 TO ems_reporting;

CREATE VIEW reporting.task_stat_v1 AS
  SELECT application_id, org_id, task_id, tests, passed_rows, passed_true, last_test_at
  FROM experiments.task_stat;
-- Catalog sorts and filters tasks by their results.
GRANT USAGE ON SCHEMA reporting TO ems_catalog;
GRANT SELECT ON reporting.task_stat_v1 TO ems_catalog;
GRANT SELECT ON reporting.task_stat_v1 TO ems_reporting;

-- A task's day has one row for its tests and one per definition; readers add them, so that each result is summed once.
CREATE VIEW reporting.task_day_v1 AS
  SELECT task_day.application_id, task_day.task_id, task_day.day, task_day.is_monitoring, task_day.tests,
    task_day.tests_passed, 0::bigint AS evaluations, 0::bigint AS evaluations_passed, 0::bigint AS scores,
    0::numeric AS score_sum, 0::numeric AS score_squares
  FROM experiments.task_day
  UNION ALL
  SELECT task_definition_day.application_id, task_definition_day.task_id, task_definition_day.day,
    task_definition_day.is_monitoring, 0 AS tests, 0 AS tests_passed, task_definition_day.evaluations,
    task_definition_day.evaluations_passed, task_definition_day.scores, task_definition_day.score_sum,
    task_definition_day.score_squares
  FROM experiments.task_definition_day;
GRANT SELECT ON reporting.task_day_v1 TO ems_catalog;
GRANT SELECT ON reporting.task_day_v1 TO ems_reporting;

CREATE VIEW reporting.task_definition_day_v1 AS
  SELECT application_id, task_id, definition_id, day, is_monitoring, evaluations, evaluations_passed, scores,
    score_sum, score_squares
  FROM experiments.task_definition_day;
GRANT SELECT ON reporting.task_definition_day_v1 TO ems_catalog;
GRANT SELECT ON reporting.task_definition_day_v1 TO ems_reporting;

-- Catalog's list of definitions.
CREATE VIEW catalog.evaluated_definition_v1 AS
  SELECT application_id, definition_id, status
  FROM experiments.evaluation_day
  WHERE rows > 0
  GROUP BY application_id, definition_id, status;
GRANT SELECT ON catalog.evaluated_definition_v1 TO ems_catalog;
