import { sharedRelayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import { indexOutboxV2, unindexOutboxV2 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Dead letters; indexes for pruning the inbox and for the relay. */
export class CreateDeadEvents1763731000000 implements MigrationInterface {
  readonly name = "CreateDeadEvents1763731000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications.dead_event (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        subject text NOT NULL,
        headers jsonb NOT NULL,
        payload bytea NOT NULL,
        reason text NOT NULL,
        buried_at timestamptz(3) NOT NULL,
        CONSTRAINT dead_event_pkey PRIMARY KEY (application_id, id)
      );
      ${tenantPolicy("notifications.dead_event")}
      CREATE POLICY relay ON notifications.dead_event TO ${sharedRelayRole} USING (true);
      GRANT SELECT, INSERT, DELETE ON notifications.dead_event TO ${sharedRelayRole};
      CREATE INDEX inbox_received ON notifications.inbox (received_at);
    `);
    await runner.query(indexOutboxV2("notifications"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(unindexOutboxV2("notifications"));
    await runner.query("DROP INDEX notifications.inbox_received");
    await runner.query("DROP TABLE notifications.dead_event");
  }
}
