import { transferSql } from "@ems/kit/db/transfer";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds the import that filled an application. */
export class AddImports1765401000000 implements MigrationInterface {
  readonly name = "AddImports1765401000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(transferSql("catalog"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE catalog.import");
  }
}
