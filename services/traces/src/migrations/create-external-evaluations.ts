import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Evaluations of traces by other tools. */
export class CreateExternalEvaluations1765402100000 implements MigrationInterface {
  readonly name = "CreateExternalEvaluations1765402100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-external-evaluations.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP VIEW reporting.external_evaluation_v1;
       DROP TABLE traces.external_evaluation, traces.evaluation_name`,
    );
  }
}
