import type { MigrationInterface, QueryRunner } from "typeorm";

/** Applications take turns when their traces settle: a claim finds what is due of each. */
export class IndexSettlingTraces1763841000000 implements MigrationInterface {
  readonly name = "IndexSettlingTraces1763841000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX trace_settling_turn ON experiments.trace_settling (application_id, due_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX experiments.trace_settling_turn");
  }
}
