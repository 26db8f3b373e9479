// The transactional outbox: events are rows of the service's own schema, inserted in the transaction of their change,
// so that a crash loses neither without the other. The relay publishes them.

import { EntitySchema } from "typeorm";
import { relayRole, runtimeRole } from "../db/schema.ts";
import { tenantPolicy } from "../db/tenant-policy.ts";

export interface OutboxRow {
  /** UUIDv7: the event's id everywhere. */
  id: string;
  applicationId: string;
  orgId: string;
  /** Type: `resource.action`, past tense. */
  type: string;
  /** Subject on which the relay publishes the event. */
  subject: string;
  /** The binary `ems.events.v1.Event`, exactly as published; null in rows of older versions, which have `payload`. */
  message: Uint8Array | null;
  /** The event's JSON, in rows of older versions. */
  payload: string | null;
  traceparent: string | null;
  occurredAt: Date;
  /** End of a relay's lease, or of the backoff. */
  lockedUntil: Date | null;
  publishedAt: Date | null;
  publishAttempts: number;
  lastError: string | null;
}

/** Defines the outbox of the service with that schema. */
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
      payload: { type: "text", nullable: true },
      traceparent: { type: "text", nullable: true },
      occurredAt: { type: "timestamptz", name: "occurred_at", precision: 3 },
      lockedUntil: { type: "timestamptz", name: "locked_until", nullable: true },
      publishedAt: { type: "timestamptz", name: "published_at", nullable: true },
      publishAttempts: { type: "integer", name: "publish_attempts", default: 0 },
      lastError: { type: "text", name: "last_error", nullable: true },
      message: { type: "bytea", nullable: true },
    },
    indices: [
      // TypeORM must not create this index: it is on an expression, so a migration creates it.
      { name: "outbox_due", synchronize: false },
      { name: "outbox_published", columns: ["publishedAt"], where: "published_at IS NOT NULL" },
    ],
  });
}

/** Role that republishes events which never reached notifications (its events/reconcile.ts). */
const reconciler = relayRole({ name: "notifications" });

/**
 * DDL of the outbox, and its roles' privileges. Due rows are indexed by their due time, so that claims skip rows in
 * backoff. Dead index entries accumulate where claims start to read, so autovacuum runs by the number of changed rows,
 * not by their share of the table. The relay cannot change payloads.
 */
export function outboxSql(schema: string): string {
  const [runtime, relay] = [runtimeRole({ name: schema }), relayRole({ name: schema })];
  return `
    ${grantAccess(schema, relay)}
    CREATE TABLE ${schema}.outbox (
      application_id uuid NOT NULL,
      id uuid NOT NULL,
      org_id text NOT NULL,
      type text NOT NULL,
      subject text NOT NULL,
      payload text,
      traceparent text,
      occurred_at timestamptz(3) NOT NULL,
      locked_until timestamptz,
      published_at timestamptz,
      publish_attempts integer NOT NULL DEFAULT 0,
      last_error text,
      message bytea,
      CONSTRAINT outbox_pkey PRIMARY KEY (application_id, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
    CREATE INDEX outbox_due ON ${schema}.outbox (coalesce(locked_until, '-infinity')) WHERE published_at IS NULL;
    CREATE INDEX outbox_published ON ${schema}.outbox (published_at) WHERE published_at IS NOT NULL;
    ${tenantPolicy(`${schema}.outbox`)}
    CREATE POLICY relay ON ${schema}.outbox TO ${relay} USING (true);
    GRANT SELECT, INSERT ON ${schema}.outbox TO ${runtime};
    GRANT SELECT, UPDATE (locked_until, published_at, publish_attempts, last_error), DELETE ON ${schema}.outbox TO ${relay};
    ${relay === reconciler ? "" : grantReconcile(schema)}
  `;
}

/** Grants access to the schema, and to the database, unless it belongs to an administrator, who must grant that. */
function grantAccess(schema: string, role: string): string {
  return `
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    DO $$ BEGIN
      IF pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${role}', current_database());
      END IF;
    END $$;`;
}

/**
 * Notifications' relay can read only the ids of other services' events, and can only reset published ones so that they
 * are published again.
 */
function grantReconcile(schema: string): string {
  return `
    GRANT USAGE ON SCHEMA ${schema} TO ${reconciler};
    CREATE POLICY reconcile ON ${schema}.outbox TO ${reconciler} USING (true);
    -- Restrictive, so that the tenant's policy cannot allow more.
    CREATE POLICY send_again ON ${schema}.outbox AS RESTRICTIVE FOR UPDATE TO ${reconciler}
      USING (published_at IS NOT NULL) WITH CHECK (published_at IS NULL AND locked_until IS NULL);
    GRANT SELECT (application_id, id, published_at), UPDATE (published_at, locked_until) ON ${schema}.outbox TO ${reconciler};`;
}
