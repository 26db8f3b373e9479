import type { MigrationInterface, QueryRunner } from "typeorm";

/** The views here are made by the services whose rows they show. */
export class CreateReporting1763740000000 implements MigrationInterface {
  readonly name = "CreateReporting1763740000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("GRANT SELECT ON reporting.migration TO ems_reporting");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("REVOKE SELECT ON reporting.migration FROM ems_reporting");
  }
}
