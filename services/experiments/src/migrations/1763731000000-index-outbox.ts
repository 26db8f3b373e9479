import { indexOutboxV2, unindexOutboxV2 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes for the relay, which there was none of when the outbox was made. */
export class IndexOutbox1763731000000 implements MigrationInterface {
  readonly name = "IndexOutbox1763731000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexOutboxV2("experiments"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(unindexOutboxV2("experiments"));
  }
}
