import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const statuses = "('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED')";
const runTypes = "('MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING')";
const definitionTypes = "('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')";

const walledIn = (table: string) => `
  ${tenantPolicy(`experiments.${table}`)}`;

/**
 * Runs, and their results: tests and evaluations. Results are append-only, wide enough that a report joins nothing, and
 * lie in a partition a month. Sums for each UTC day and each task are kept by the transaction that adds results.
 *
 * Scores are whole millionths: their sums are exact and the same in any order. Results have no foreign keys: they come by
 * one statement that knows its run, and what they name is never deleted.
 */
export class CreateResults1763741000000 implements MigrationInterface {
  readonly name = "CreateResults1763741000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.run (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        type text NOT NULL,
        status text NOT NULL,
        title text,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT run_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT run_type_check CHECK (type IN ${runTypes}),
        CONSTRAINT run_status_check CHECK (status IN ${statuses})
      );
      CREATE INDEX run_created ON experiments.run (application_id, created_at, id);

      -- Columns of a fixed size come first: there are many rows, and gaps between columns would add up.
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
        CONSTRAINT test_pkey PRIMARY KEY (application_id, created_at, id),
        CONSTRAINT test_run_type_check CHECK (run_type IN ${runTypes}),
        CONSTRAINT test_status_check CHECK (status IN ${statuses})
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX test_id ON experiments.test (application_id, id);
      CREATE INDEX test_run ON experiments.test (application_id, run_id, created_at);
      CREATE INDEX test_task ON experiments.test (application_id, task_id, created_at);

      -- An evaluation has the created_at of its test.
      CREATE TABLE experiments.evaluation (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        score_micro bigint,
        test_id uuid NOT NULL,
        run_id uuid NOT NULL,
        task_id uuid NOT NULL,
        topic_id uuid,
        definition_id uuid NOT NULL,
        passed boolean,
        org_id text NOT NULL,
        definition_type text NOT NULL,
        status text NOT NULL,
        CONSTRAINT evaluation_pkey PRIMARY KEY (application_id, created_at, id),
        CONSTRAINT evaluation_definition_type_check CHECK (definition_type IN ${definitionTypes}),
        CONSTRAINT evaluation_status_check CHECK (status IN ${statuses})
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX evaluation_id ON experiments.evaluation (application_id, id);
      CREATE INDEX evaluation_test ON experiments.evaluation (application_id, test_id);
    `);
    await runner.query(rollups);
    await runner.query(addMonths);
    await runner.query(
      ["run", "test", "evaluation", "test_day", "evaluation_day", "task_stat"].map(walledIn).join("") +
        `
      GRANT SELECT, INSERT ON experiments.test, experiments.evaluation TO ems_experiments;
      GRANT SELECT, INSERT, UPDATE ON experiments.run, experiments.test_day, experiments.evaluation_day,
        experiments.task_stat TO ems_experiments;`,
    );
    await runner.query(views);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW reporting.test_v1, reporting.evaluation_v1, reporting.test_day_v1, reporting.evaluation_day_v1,
        reporting.task_stat_v1;
      DROP FUNCTION experiments.add_months;
      DROP TABLE experiments.task_stat, experiments.evaluation_day, experiments.test_day, experiments.evaluation,
        experiments.test, experiments.run;
    `);
  }
}

// A topic that is not there is the all-zero UUID in a key. Rows are changed in place, for which pages keep room.
const rollups = `
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

  CREATE TABLE experiments.task_stat (
    application_id uuid NOT NULL,
    task_id uuid NOT NULL,
    org_id text NOT NULL,
    tests bigint NOT NULL,
    passed_rows bigint NOT NULL,
    passed_true bigint NOT NULL,
    last_test_at timestamptz(3) NOT NULL,
    CONSTRAINT task_stat_pkey PRIMARY KEY (application_id, task_id)
  ) WITH (fillfactor = 70);`;

// The service may not change the schema, but results come for months that nobody foresaw. So this one change is lent to
// it: the months of `days`, and the month after each, get their partitions. What is there already costs a look.
//
// Neither readers nor writers wait: a table is made by itself and then attached. Who makes one holds the lock until the
// transaction ends, and whoever comes meanwhile finds the table made. A caller calls this before it holds any row.
const addMonths = `
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
        unnest('{test,evaluation}'::text[]) p (parent)
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
      EXECUTE format('ALTER TABLE experiments.%I ATTACH PARTITION experiments.%I FOR VALUES FROM (%L) TO (%L)',
        parent, part, month::timestamptz, (month + interval '1 month')::timestamptz);
    END LOOP;
  END $$;
  REVOKE ALL ON FUNCTION experiments.add_months FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION experiments.add_months TO ems_experiments;`;

// Results never change: they were modified when they were created.
const views = `
  CREATE VIEW reporting.test_v1 AS
    SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status, score_micro, passed, duration_ms,
      created_at, created_at AS modified_at
    FROM experiments.test;

  CREATE VIEW reporting.evaluation_v1 AS
    SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
      score_micro, passed, created_at, created_at AS modified_at
    FROM experiments.evaluation;

  CREATE VIEW reporting.test_day_v1 AS
    SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id, run_type,
      status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max, duration_rows, duration_sum,
      duration_min, duration_max
    FROM experiments.test_day;

  CREATE VIEW reporting.evaluation_day_v1 AS
    SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id,
      definition_id, definition_type, status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max
    FROM experiments.evaluation_day;

  CREATE VIEW reporting.task_stat_v1 AS
    SELECT application_id, org_id, task_id, tests, passed_rows, passed_true, last_test_at FROM experiments.task_stat;

  GRANT SELECT ON reporting.test_v1, reporting.evaluation_v1, reporting.test_day_v1, reporting.evaluation_day_v1,
    reporting.task_stat_v1 TO ems_reporting;`;
