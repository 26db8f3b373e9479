import type { MigrationInterface, QueryRunner } from "typeorm";

/** Style guides that are prepared in a quickstart. */
export class PrepareStyleGuides1763805000000 implements MigrationInterface {
  readonly name = "PrepareStyleGuides1763805000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.style_guide ADD COLUMN quickstart_id uuid,
        ADD CONSTRAINT style_guide_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES catalog.quickstart (application_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE catalog.style_guide DROP COLUMN quickstart_id");
  }
}
