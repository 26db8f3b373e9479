import { relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "experiments" });

/** The last calibration of each definition's judge, and the kappa below which one is not to be relied on. */
export class KeepCalibrations1765000300000 implements MigrationInterface {
  readonly name = "KeepCalibrations1765000300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.judge_calibration (
        application_id uuid NOT NULL,
        definition_id uuid NOT NULL,
        org_id text NOT NULL,
        marks integer NOT NULL DEFAULT 1,
        measured_marks integer NOT NULL DEFAULT 0,
        definition_version integer,
        judge_version text,
        model text,
        human_passed integer NOT NULL DEFAULT 0,
        human_failed integer NOT NULL DEFAULT 0,
        undecided integer NOT NULL DEFAULT 0,
        sensitivity double precision,
        specificity double precision,
        kappa double precision,
        calculated_at timestamptz(3),
        CONSTRAINT judge_calibration_pkey PRIMARY KEY (application_id, definition_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX judge_calibration_due ON experiments.judge_calibration (application_id, definition_id)
        WHERE marks > measured_marks;
      CREATE INDEX human_annotation_test ON experiments.human_annotation (application_id, test_id);
    `);
    await runner.query(markAnnotated);
    await runner.query(`
      ${tenantPolicy("experiments.judge_calibration")}
      CREATE POLICY relay ON experiments.judge_calibration TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE ON experiments.judge_calibration TO ems_experiments;
      GRANT SELECT ON experiments.judge_calibration TO ${relay};

      ALTER TABLE experiments.execution_setting ADD COLUMN kappa_floor double precision,
        ADD CONSTRAINT execution_setting_kappa_floor_check CHECK (kappa_floor BETWEEN 0 AND 1);

      -- For catalog's definitions.
      CREATE VIEW catalog.judge_calibration_v1 AS
        SELECT c.application_id, c.definition_id, c.definition_version, c.judge_version, c.model, c.human_passed,
          c.human_failed, c.undecided, c.sensitivity, c.specificity, c.kappa, c.calculated_at,
          c.kappa >= coalesce(s.kappa_floor, 0.4) AS reliable
        FROM experiments.judge_calibration c
        LEFT JOIN experiments.execution_setting s ON s.application_id = c.application_id
        WHERE c.calculated_at IS NOT NULL;
      GRANT SELECT ON catalog.judge_calibration_v1 TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW catalog.judge_calibration_v1;
      ALTER TABLE experiments.execution_setting DROP COLUMN kappa_floor;
      DROP INDEX experiments.human_annotation_test;
      DROP TABLE experiments.judge_calibration;
    `);
  }
}

// The owner reads all tenants' rows only while row-level security is not forced.
const markAnnotated = `
  ALTER TABLE experiments.human_annotation NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE experiments.evaluation NO FORCE ROW LEVEL SECURITY;

  INSERT INTO experiments.judge_calibration (application_id, definition_id, org_id)
    SELECT DISTINCT e.application_id, e.definition_id, e.org_id FROM experiments.human_annotation h
    JOIN experiments.evaluation e ON e.application_id = h.application_id AND e.test_id = h.test_id;

  ALTER TABLE experiments.human_annotation FORCE ROW LEVEL SECURITY;
  ALTER TABLE experiments.evaluation FORCE ROW LEVEL SECURITY;`;
