import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Binary content of traces. */
export class CreateAttachments1765402300000 implements MigrationInterface {
  readonly name = "CreateAttachments1765402300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-attachments.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE traces.trace_attachment, traces.attachment");
  }
}
