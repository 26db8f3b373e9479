// The outbox: facts that must leave a service are rows of its own schema, written in the transaction of the change they
// tell of. So either both happened or neither, whatever crashes. A relay carries the rows out.

import { EntitySchema } from "typeorm";
import { relayRole, sharedRelayRole } from "../db/schema.ts";

export interface OutboxRow {
  /** UUIDv7: the event's id, wherever it goes. */
  id: string;
  applicationId: string;
  orgId: string;
  /** `resource.action`, past tense. */
  type: string;
  /** Where the relay publishes it. */
  subject: string;
  /** The event's JSON, exactly as receivers get it. */
  payload: string;
  traceparent: string | null;
  occurredAt: Date;
  /** Until then a relay has it in hand. */
  lockedUntil: Date | null;
  publishedAt: Date | null;
  publishAttempts: number;
  lastError: string | null;
}

/** The outbox of the service whose schema has that name. */
export function outboxEntity(schema: string): EntitySchema<OutboxRow> {
  return new EntitySchema<OutboxRow>({
    name: "Outbox",
    tableName: "outbox",
    schema,
    columns: {
      applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "outbox_pkey" },
      id: { type: "uuid", primary: true, primaryKeyConstraintName: "outbox_pkey" },
      orgId: { type: "text", name: "org_id" },
      type: { type: "text" },
      subject: { type: "text" },
      payload: { type: "text" },
      traceparent: { type: "text", nullable: true },
      occurredAt: { type: "timestamptz", name: "occurred_at", precision: 3 },
      lockedUntil: { type: "timestamptz", name: "locked_until", nullable: true },
      publishedAt: { type: "timestamptz", name: "published_at", nullable: true },
      publishAttempts: { type: "integer", name: "publish_attempts", default: 0 },
      lastError: { type: "text", name: "last_error", nullable: true },
    },
    indices: [
      // Over an expression: a migration makes it.
      { name: "outbox_due", synchronize: false },
      { name: "outbox_published", columns: ["publishedAt"], where: "published_at IS NOT NULL" },
    ],
  });
}

/** The outbox as first made; a service's first migration runs it. Later changes are migrations of their own. */
export function createOutboxV1(schema: string, runtimeRole: string): string {
  return `
    CREATE TABLE ${schema}.outbox (
      application_id uuid NOT NULL,
      id uuid NOT NULL,
      org_id text NOT NULL,
      type text NOT NULL,
      subject text NOT NULL,
      payload text NOT NULL,
      traceparent text,
      occurred_at timestamptz(3) NOT NULL,
      locked_until timestamptz,
      published_at timestamptz,
      publish_attempts integer NOT NULL DEFAULT 0,
      last_error text,
      CONSTRAINT outbox_pkey PRIMARY KEY (application_id, id)
    );
    CREATE INDEX outbox_due ON ${schema}.outbox (occurred_at) WHERE published_at IS NULL;
    ALTER TABLE ${schema}.outbox ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${schema}.outbox FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${schema}.outbox
      USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
    CREATE POLICY relay ON ${schema}.outbox TO ${sharedRelayRole} USING (true);
    GRANT SELECT, INSERT ON ${schema}.outbox TO ${runtimeRole};
    GRANT SELECT, UPDATE, DELETE ON ${schema}.outbox TO ${sharedRelayRole};
  `;
}

/**
 * Indexes for what a relay asks: what is due, by when it became due, so that rows that wait for their next try are not
 * looked at again and again; and what was published long ago. Dead entries of the first gather at its beginning, where
 * every claim starts to read, so vacuum is to come by the number of rows that changed, however large the table has grown.
 */
export function indexOutboxV2(schema: string): string {
  return `
    DROP INDEX ${schema}.outbox_due;
    CREATE INDEX outbox_due ON ${schema}.outbox (coalesce(locked_until, '-infinity')) WHERE published_at IS NULL;
    CREATE INDEX outbox_published ON ${schema}.outbox (published_at) WHERE published_at IS NOT NULL;
    ALTER TABLE ${schema}.outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
  `;
}

/** Undoes `indexOutboxV2`. */
export function unindexOutboxV2(schema: string): string {
  return `
    ALTER TABLE ${schema}.outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
    DROP INDEX ${schema}.outbox_published;
    DROP INDEX ${schema}.outbox_due;
    CREATE INDEX outbox_due ON ${schema}.outbox (occurred_at) WHERE published_at IS NULL;
  `;
}

/** The role that has events sent again that never came to notifications (its consumers/reconcile.ts). */
const reconciler = relayRole({ name: "notifications" });

/**
 * A relay role of the service's own. It carries events and cannot change what they say. Notifications' sees of other
 * services' events only which there are, and may do no more than have those sent again that were published.
 */
export function ownRelayV3(schema: string): string {
  const own = relayRole({ name: schema });
  return `
    ${letIn(schema, own)}
    ALTER POLICY relay ON ${schema}.outbox TO ${sharedRelayRole}, ${own};
    GRANT SELECT, UPDATE (locked_until, published_at, publish_attempts, last_error), DELETE ON ${schema}.outbox TO ${own};
    ${own === reconciler ? "" : letReconcile(schema)}
  `;
}

/** Undoes `ownRelayV3`. */
export function sharedRelayV2(schema: string): string {
  const own = relayRole({ name: schema });
  return `
    ${own === reconciler ? "" : stopReconciling(schema)}
    REVOKE ALL ON ${schema}.outbox FROM ${own};
    ALTER POLICY relay ON ${schema}.outbox TO ${sharedRelayRole};
    REVOKE ALL ON SCHEMA ${schema} FROM ${own};
  `;
}

/** Into the schema; and into the database, where it is the owner's and not an administrator's, who would see to that. */
function letIn(schema: string, role: string): string {
  return `
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    DO $$ BEGIN
      IF pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${role}', current_database());
      END IF;
    END $$;`;
}

function letReconcile(schema: string): string {
  return `
    GRANT USAGE ON SCHEMA ${schema} TO ${reconciler};
    CREATE POLICY reconcile ON ${schema}.outbox TO ${reconciler} USING (true);
    -- Restrictive: what the tenant's policy allows whoever names one is not more.
    CREATE POLICY send_again ON ${schema}.outbox AS RESTRICTIVE FOR UPDATE TO ${reconciler}
      USING (published_at IS NOT NULL) WITH CHECK (published_at IS NULL AND locked_until IS NULL);
    GRANT SELECT (application_id, id, published_at), UPDATE (published_at, locked_until) ON ${schema}.outbox TO ${reconciler};`;
}

function stopReconciling(schema: string): string {
  return `
    REVOKE ALL ON ${schema}.outbox FROM ${reconciler};
    DROP POLICY send_again ON ${schema}.outbox;
    DROP POLICY reconcile ON ${schema}.outbox;
    REVOKE ALL ON SCHEMA ${schema} FROM ${reconciler};`;
}
