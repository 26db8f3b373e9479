import { relayRole, runtimeRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const schema = { name: "experiments" };
const [runtime, relay] = [runtimeRole(schema), relayRole(schema)];

/** The ids of traces that are in the archive alone, and which of them came again: a trigger, made before the first are dropped, says so. */
export class RememberDroppedTraces1765070000000 implements MigrationInterface {
  readonly name = "RememberDroppedTraces1765070000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.dropped_trace (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        came_again boolean NOT NULL DEFAULT false,
        CONSTRAINT dropped_trace_pkey PRIMARY KEY (application_id, id)
      );
      CREATE INDEX dropped_trace_created ON experiments.dropped_trace USING brin (application_id, created_at);
      CREATE INDEX dropped_trace_again ON experiments.dropped_trace (application_id) WHERE came_again;
      ${tenantPolicy("experiments.dropped_trace")}
      CREATE POLICY relay ON experiments.dropped_trace FOR SELECT TO ${relay} USING (came_again);
      GRANT SELECT, INSERT, DELETE, UPDATE (came_again) ON experiments.dropped_trace TO ${runtime};
      GRANT SELECT (application_id, created_at, came_again) ON experiments.dropped_trace TO ${relay};`);
    await runner.query(notice);
    await runner.query(watch);
    await runner.query(`
      REVOKE ALL ON FUNCTION experiments.notice_returned, experiments.watch_dropped FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION experiments.watch_dropped TO ${relay};`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION experiments.watch_dropped;
      DROP FUNCTION experiments.notice_returned CASCADE;
      DROP TABLE experiments.dropped_trace;`);
  }
}

const notice = `
  CREATE FUNCTION experiments.notice_returned() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    UPDATE experiments.dropped_trace d SET came_again = true FROM added a
    WHERE d.application_id = a.application_id AND d.id = a.id AND NOT d.came_again;
    RETURN NULL;
  END $$;`;

// Its lock waits for whoever inserts without it.
const watch = `
  CREATE FUNCTION experiments.watch_dropped() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = 'experiments.trace'::regclass AND t.tgname = 'trace_returned') THEN
      CREATE TRIGGER trace_returned AFTER INSERT ON experiments.trace REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION experiments.notice_returned();
    END IF;
  END $$;`;
