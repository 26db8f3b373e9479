import { createOutboxV1 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** The service's outbox. */
export class CreateOutbox1763720000000 implements MigrationInterface {
  readonly name = "CreateOutbox1763720000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("GRANT SELECT ON experiments.migration TO ems_experiments");
    await runner.query(createOutboxV1("experiments", "ems_experiments"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.outbox");
  }
}
