import type { MigrationInterface, QueryRunner } from "typeorm";

const role = "ems_notifications";

/** Rights to erase what was sent, answered and logged, on behalf of its application. */
export class ErasePayloads1765010400000 implements MigrationInterface {
  readonly name = "ErasePayloads1765010400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      GRANT UPDATE (response_body) ON notifications.attempt TO ${role};
      GRANT UPDATE (message) ON notifications.event_log TO ${role};
      GRANT SELECT, DELETE ON notifications.prompt_outcome TO ${role};
      GRANT SELECT, DELETE ON notifications.dead_event TO ${role};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE SELECT, DELETE ON notifications.dead_event FROM ${role};
      REVOKE SELECT, DELETE ON notifications.prompt_outcome FROM ${role};
      REVOKE UPDATE (message) ON notifications.event_log FROM ${role};
      REVOKE UPDATE (response_body) ON notifications.attempt FROM ${role};
    `);
  }
}
