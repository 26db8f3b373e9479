import { relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "notifications" });

/** Deliveries of prompts beside those of events, and what became of prompts, until experiments knows. */
export class CreatePrompts1763833000000 implements MigrationInterface {
  readonly name = "CreatePrompts1763833000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notifications.delivery ADD COLUMN kind text NOT NULL DEFAULT 'EVENT',
        ADD CONSTRAINT delivery_kind_check CHECK (kind IN ('EVENT', 'PROMPT'));
      -- An index each: neither worker scans what is due for the other.
      DROP INDEX notifications.delivery_due;
      CREATE INDEX delivery_due ON notifications.delivery (application_id, next_attempt_at)
        WHERE status = 'PENDING' AND kind = 'EVENT';
      CREATE INDEX prompt_due ON notifications.delivery (application_id, next_attempt_at)
        WHERE status = 'PENDING' AND kind = 'PROMPT';

      CREATE TABLE notifications.prompt_outcome (
        application_id uuid NOT NULL,
        test_id uuid NOT NULL,
        org_id text NOT NULL,
        accepted_at timestamptz(3),
        duration_ms integer,
        answer text,
        failure text,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT prompt_outcome_pkey PRIMARY KEY (application_id, test_id),
        CONSTRAINT prompt_outcome_kind_check CHECK ((accepted_at IS NULL) = (failure IS NOT NULL))
      );
      CREATE INDEX prompt_outcome_due ON notifications.prompt_outcome (application_id, next_attempt_at);
      ${tenantPolicy("notifications.prompt_outcome")}
      CREATE POLICY relay ON notifications.prompt_outcome TO ${relay} USING (true);
      GRANT SELECT, INSERT, DELETE, UPDATE (attempts, next_attempt_at, leased_until)
        ON notifications.prompt_outcome TO ${relay};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notifications.prompt_outcome;
      DROP INDEX notifications.prompt_due;
      DROP INDEX notifications.delivery_due;
      ALTER TABLE notifications.delivery DROP COLUMN kind;
      CREATE INDEX delivery_due ON notifications.delivery (application_id, next_attempt_at) WHERE status = 'PENDING';
    `);
  }
}
