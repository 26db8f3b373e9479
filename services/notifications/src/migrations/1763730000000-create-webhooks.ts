import { createIdempotencyV1 } from "@ems/kit/db/idempotency";
import { sharedRelayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import { createOutboxV1 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

const runtimeRole = "ems_notifications";

/** Row-level security, and the relay role's rights to every application's rows. */
const restrict = (table: string, relayMay: string) => `
  ${tenantPolicy(`notifications.${table}`)}
  CREATE POLICY relay ON notifications.${table} TO ${sharedRelayRole} USING (true);
  GRANT ${relayMay} ON notifications.${table} TO ${sharedRelayRole};`;

/** Webhooks, deliveries and attempts; the inbox; and what every service has. */
export class CreateWebhooks1763730000000 implements MigrationInterface {
  readonly name = "CreateWebhooks1763730000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`GRANT SELECT ON notifications.migration TO ${runtimeRole}`);
    await runner.query(createOutboxV1("notifications", runtimeRole));
    await runner.query(createIdempotencyV1("notifications", runtimeRole));
    await runner.query(`
      CREATE TABLE notifications.inbox (
        application_id uuid NOT NULL,
        event_id uuid NOT NULL,
        received_at timestamptz(3) NOT NULL,
        CONSTRAINT inbox_pkey PRIMARY KEY (application_id, event_id)
      );

      CREATE TABLE notifications.webhook (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        url text NOT NULL,
        secret text NOT NULL,
        previous_secret text,
        previous_secret_until timestamptz(3),
        headers text,
        header_names text[] NOT NULL,
        disabled_at timestamptz(3),
        disabled_reason text,
        failing_since timestamptz(3),
        failure_streak integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT webhook_pkey PRIMARY KEY (application_id),
        CONSTRAINT webhook_disabled_check CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
      );

      CREATE TABLE notifications.delivery (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        webhook_id uuid NOT NULL,
        type text NOT NULL,
        payload text NOT NULL,
        traceparent text,
        status text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        attempt_count integer NOT NULL DEFAULT 0,
        schedule_step integer NOT NULL DEFAULT 0,
        schedule_steps integer NOT NULL,
        next_attempt_at timestamptz(3),
        leased_until timestamptz(3),
        last_outcome text,
        last_status_code integer,
        CONSTRAINT delivery_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT delivery_status_check CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
        CONSTRAINT delivery_due_check CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
      );
      CREATE INDEX delivery_created ON notifications.delivery (application_id, created_at, id);
      -- The worker claims application by application: one long queue is never scanned to find another's first.
      CREATE INDEX delivery_due ON notifications.delivery (application_id, next_attempt_at) WHERE status = 'PENDING';

      CREATE TABLE notifications.attempt (
        application_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        started_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        outcome text NOT NULL,
        status_code integer,
        response_body text,
        remote_address text,
        CONSTRAINT attempt_pkey PRIMARY KEY (application_id, delivery_id, number),
        CONSTRAINT attempt_delivery_fkey FOREIGN KEY (application_id, delivery_id)
          REFERENCES notifications.delivery (application_id, id) ON DELETE CASCADE
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.webhook TO ${runtimeRole};
      GRANT SELECT, INSERT, UPDATE ON notifications.delivery TO ${runtimeRole};
      GRANT SELECT ON notifications.attempt TO ${runtimeRole};
    `);
    await runner.query(restrict("inbox", "SELECT, INSERT, DELETE"));
    await runner.query(restrict("webhook", "SELECT, UPDATE"));
    await runner.query(restrict("delivery", "SELECT, INSERT, UPDATE, DELETE"));
    await runner.query(restrict("attempt", "SELECT, INSERT"));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["attempt", "delivery", "webhook", "inbox", "idempotency", "outbox"]) {
      await runner.query(`DROP TABLE notifications.${table}`);
    }
  }
}
