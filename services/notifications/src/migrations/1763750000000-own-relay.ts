import { relayRole, sharedRelayRole } from "@ems/kit/db/schema";
import { ownRelayV3, sharedRelayV2 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

const own = relayRole({ name: "notifications" });

/** Rights of consumer, worker and mailer to every application's rows: payloads, recipients and secrets are immutable. */
const rights = {
  inbox: "SELECT, INSERT, DELETE",
  dead_event: "SELECT, INSERT, DELETE",
  webhook: "SELECT, UPDATE (failure_streak, failing_since)",
  delivery: `SELECT, INSERT, DELETE, UPDATE (status, attempt_count, schedule_step, next_attempt_at, leased_until, last_outcome,
    last_status_code)`,
  attempt: "SELECT, INSERT",
  mail_job: "SELECT, INSERT, DELETE, UPDATE (status, attempts, next_attempt_at, leased_until, last_error, finished_at)",
  feedback: "SELECT, UPDATE (status, error, asked_at)",
};

/** The service has a relay role of its own. */
export class OwnRelay1763750000000 implements MigrationInterface {
  readonly name = "OwnRelay1763750000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ownRelayV3("notifications"));
    for (const [table, may] of Object.entries(rights)) {
      await runner.query(`
        ALTER POLICY relay ON notifications.${table} TO ${sharedRelayRole}, ${own};
        GRANT ${may} ON notifications.${table} TO ${own};
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(rights)) {
      await runner.query(`
        REVOKE ALL ON notifications.${table} FROM ${own};
        ALTER POLICY relay ON notifications.${table} TO ${sharedRelayRole};
      `);
    }
    await runner.query(sharedRelayV2("notifications"));
  }
}
