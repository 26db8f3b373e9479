import { relayRole, runtimeRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const runtime = runtimeRole({ name: "notifications" });
const relay = relayRole({ name: "notifications" });

/** Days that have a partition of their own: those that are kept, today, and the one that is emptied. */
const days = 16;
const partitions = Array.from({ length: days }, (_, slot) => ({ slot, name: `event_log_${slot}` }));

/** Row-level security; the consumer writes every application's rows. */
const restrict = (table: string, relayMay: string) => `
  ${tenantPolicy(`notifications.${table}`)}
  CREATE POLICY relay ON notifications.${table} TO ${relay} USING (true);
  GRANT ${relayMay} ON notifications.${table} TO ${relay};
  GRANT SELECT ON notifications.${table} TO ${runtime};`;

/** The log of events: a ring of partitions by day, of which the oldest is emptied whole, since deleting rows would cost as much as adding them. */
export class CreateEventLog1763809300000 implements MigrationInterface {
  readonly name = "CreateEventLog1763809300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The row's lock, held to commit, makes positions visible in their order and leaves none out.
      CREATE TABLE notifications.event_position (
        application_id uuid NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT event_position_pkey PRIMARY KEY (application_id)
      ) WITH (fillfactor = 50);

      CREATE TABLE notifications.event_log (
        application_id uuid NOT NULL,
        position bigint NOT NULL,
        slot integer NOT NULL,
        type text NOT NULL,
        recorded_at timestamptz(3) NOT NULL,
        message bytea NOT NULL,
        CONSTRAINT event_log_pkey PRIMARY KEY (application_id, position, slot)
      ) PARTITION BY LIST (slot);

      CREATE FUNCTION notifications.event_slot(at timestamptz) RETURNS integer LANGUAGE sql STABLE
      RETURN mod(floor(extract(epoch FROM at) / 86400), ${days})::integer;
      REVOKE ALL ON FUNCTION notifications.event_slot FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION notifications.event_slot TO ${runtime}, ${relay};

      -- Tomorrow's partition has what is older than any event that is kept. A reader holds it for milliseconds.
      CREATE FUNCTION notifications.forget_events() RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
      DECLARE
        part text := format('notifications.event_log_%s', notifications.event_slot(now() + interval '1 day'));
      BEGIN
        IF pg_relation_size(part::regclass) > 0 THEN
          EXECUTE 'TRUNCATE ' || part;
        END IF;
      END $$;
      REVOKE ALL ON FUNCTION notifications.forget_events FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION notifications.forget_events TO ${runtime};
    `);
    for (const { slot, name } of partitions) {
      await runner.query(`
        CREATE TABLE notifications.${name} PARTITION OF notifications.event_log FOR VALUES IN (${slot});
        ${tenantPolicy(`notifications.${name}`)}
      `);
    }
    await runner.query(restrict("event_position", "SELECT, INSERT, UPDATE (position)"));
    await runner.query(restrict("event_log", "INSERT"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notifications.event_log;
      DROP TABLE notifications.event_position;
      DROP FUNCTION notifications.forget_events;
      DROP FUNCTION notifications.event_slot;
    `);
  }
}
