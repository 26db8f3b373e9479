import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What evaluations say of themselves, how many of a test's evaluations passed, the variants that runs tested, and sums of
 * each run, which older results are added to.
 */
export class CompleteResults1763806303000 implements MigrationInterface {
  readonly name = "CompleteResults1763806303000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    await runner.query(sums);
    await runner.query(`${tenantPolicy("experiments.run_stat")} ${tenantPolicy("experiments.run_definition")}
      GRANT SELECT, INSERT, UPDATE ON experiments.run_stat, experiments.run_definition TO ems_experiments;`);
    await runner.query(views);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW catalog.evaluated_definition_v1, catalog.trace_definition_v1;
      DROP TABLE experiments.run_definition, experiments.run_stat;
      ALTER TABLE experiments.run DROP COLUMN experiment_variant_id;
      ALTER TABLE experiments.test DROP COLUMN evaluation_count, DROP COLUMN evaluation_passed;
      ALTER TABLE experiments.evaluation DROP COLUMN message, DROP COLUMN results;
    `);
  }
}

// Partitions were tables before they were attached, so that each has the constraint as its own.
const columns = `
  ALTER TABLE experiments.run ADD COLUMN experiment_variant_id uuid;
  CREATE INDEX run_variant ON experiments.run (application_id, experiment_variant_id)
    WHERE experiment_variant_id IS NOT NULL;

  ALTER TABLE experiments.test ADD COLUMN evaluation_count integer NOT NULL DEFAULT 0,
    ADD COLUMN evaluation_passed integer NOT NULL DEFAULT 0;

  ALTER TABLE experiments.evaluation ADD COLUMN message text, ADD COLUMN results json,
    DROP CONSTRAINT evaluation_status_check;
  DO $$
  DECLARE
    part regclass;
  BEGIN
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'experiments.evaluation'::regclass LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS evaluation_status_check', part);
    END LOOP;
  END $$;
  ALTER TABLE experiments.evaluation ADD CONSTRAINT evaluation_status_check
    CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'));`;

const counts = "(status = 'FAILED' OR (status = 'COMPLETED' AND passed IS NOT NULL))";
const passes = "(status = 'COMPLETED' AND passed)";

// The owner reads and writes all tenants' rows only while row-level security is not forced.
const sums = `
  CREATE TABLE experiments.run_stat (
    application_id uuid NOT NULL,
    run_id uuid NOT NULL,
    org_id text NOT NULL,
    tests bigint NOT NULL,
    ended bigint NOT NULL,
    counted bigint NOT NULL,
    passed bigint NOT NULL,
    score_rows bigint NOT NULL,
    score_sum numeric NOT NULL,
    CONSTRAINT run_stat_pkey PRIMARY KEY (application_id, run_id)
  ) WITH (fillfactor = 70);

  CREATE TABLE experiments.run_definition (
    application_id uuid NOT NULL,
    run_id uuid NOT NULL,
    definition_id uuid NOT NULL,
    definition_type text NOT NULL,
    org_id text NOT NULL,
    counted bigint NOT NULL,
    passed bigint NOT NULL,
    score_rows bigint NOT NULL,
    score_sum numeric NOT NULL,
    CONSTRAINT run_definition_pkey PRIMARY KEY (application_id, run_id, definition_id, definition_type)
  ) WITH (fillfactor = 70);

  ALTER TABLE experiments.test NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE experiments.evaluation NO FORCE ROW LEVEL SECURITY;

  INSERT INTO experiments.run_stat
    SELECT application_id, run_id, org_id, count(*), count(*) FILTER (WHERE status IN ('COMPLETED', 'FAILED')),
      count(*) FILTER (WHERE ${counts}), count(*) FILTER (WHERE ${passes}),
      count(score_micro) FILTER (WHERE status = 'COMPLETED'),
      coalesce(sum(score_micro) FILTER (WHERE status = 'COMPLETED'), 0)
    FROM experiments.test GROUP BY application_id, run_id, org_id;

  INSERT INTO experiments.run_definition
    SELECT application_id, run_id, definition_id, definition_type, org_id, count(*) FILTER (WHERE ${counts}),
      count(*) FILTER (WHERE ${passes}), count(quarter) FILTER (WHERE status = 'COMPLETED'),
      coalesce(sum(quarter) FILTER (WHERE status = 'COMPLETED'), 0)
    FROM (SELECT *, CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN score_micro - 1000000
        ELSE 4 * score_micro END AS quarter FROM experiments.evaluation) e
    GROUP BY application_id, run_id, definition_id, definition_type, org_id;

  -- Counts by groups stay as they are.
  ALTER TABLE experiments.test DISABLE TRIGGER USER;
  UPDATE experiments.test t SET evaluation_count = e.counted, evaluation_passed = e.passed
    FROM (SELECT application_id, created_at, test_id, count(*) AS counted, count(*) FILTER (WHERE ${passes}) AS passed
      FROM experiments.evaluation WHERE ${counts} GROUP BY application_id, created_at, test_id) e
    WHERE t.application_id = e.application_id AND t.created_at = e.created_at AND t.id = e.test_id;
  ALTER TABLE experiments.test ENABLE TRIGGER USER;

  ALTER TABLE experiments.test FORCE ROW LEVEL SECURITY;
  ALTER TABLE experiments.evaluation FORCE ROW LEVEL SECURITY;`;

// For catalog's list of definitions.
const views = `
  CREATE VIEW catalog.evaluated_definition_v1 AS
    SELECT application_id, definition_id, status FROM experiments.evaluation_day
    GROUP BY application_id, definition_id, status;

  CREATE VIEW catalog.trace_definition_v1 AS
    SELECT t.application_id, t.id AS trace_id, e.definition_id FROM experiments.trace t
    JOIN experiments.evaluation e ON e.application_id = t.application_id AND e.test_id = t.test_id;

  GRANT SELECT ON catalog.evaluated_definition_v1, catalog.trace_definition_v1 TO ems_catalog;`;
