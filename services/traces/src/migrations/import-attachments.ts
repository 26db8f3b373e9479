import type { MigrationInterface, QueryRunner } from "typeorm";

/** Allows that imports complete the content of attachments, which they insert in pieces. */
export class ImportAttachments1765402410000 implements MigrationInterface {
  readonly name = "ImportAttachments1765402410000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("GRANT UPDATE (content) ON traces.attachment TO ems_traces");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("REVOKE UPDATE (content) ON traces.attachment FROM ems_traces");
  }
}
