import type { MigrationInterface, QueryRunner } from "typeorm";

/** Finds the tasks that were made of a trace. */
export class IndexTracedTasks1765000100000 implements MigrationInterface {
  readonly name = "IndexTracedTasks1765000100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX task_trace ON catalog.task (application_id, trace_id, created_at, id) WHERE trace_id IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX catalog.task_trace");
  }
}
