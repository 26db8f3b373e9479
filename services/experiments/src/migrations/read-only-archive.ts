import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Archived rows are read-only: no triggers on hot tables follow changes. Later steps of an archived trace go to a new
 * trace.
 */
export class ReadOnlyArchive1765200000000 implements MigrationInterface {
  readonly name = "ReadOnlyArchive1765200000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.trace ADD COLUMN continues uuid;

      DO $$
      DECLARE
        watched record;
      BEGIN
        FOR watched IN
          SELECT c.relname AS place, t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
          WHERE c.relnamespace = 'experiments'::regnamespace AND NOT c.relispartition
            AND t.tgname IN ('archive_change', 'archive_delete', 'trace_returned') AND t.tgparentid = 0
        LOOP
          EXECUTE format('DROP TRIGGER %I ON experiments.%I', watched.name, watched.place);
        END LOOP;
      END $$;
      DROP FUNCTION experiments.watch_archived();
      DROP FUNCTION experiments.watch_dropped();
      DROP FUNCTION experiments.withdraw_batch();
      DROP FUNCTION experiments.notice_returned();

      -- Copies of rows that PostgreSQL still has: their intervals are archived again.
      ALTER TABLE experiments.archive_batch NO FORCE ROW LEVEL SECURITY;
      UPDATE experiments.archive_batch SET state = 'withdrawn', changed_at = now() WHERE state IN ('open', 'published');
      ALTER TABLE experiments.archive_batch FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(): Promise<void> {
    throw new Error("copies in the archive were withdrawn: restore a backup");
  }
}
