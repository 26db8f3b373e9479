import { createIdempotencyV1 } from "@ems/kit/db/idempotency";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Requests that may be repeated. */
export class CreateIdempotency1763727000000 implements MigrationInterface {
  readonly name = "CreateIdempotency1763727000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createIdempotencyV1("experiments", "ems_experiments"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.idempotency");
  }
}
