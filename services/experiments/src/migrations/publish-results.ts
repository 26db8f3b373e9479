import { readFileSync } from "node:fs";
import { monthsSql } from "@ems/kit/db/months-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Moves traces to their own service, which reads results through views. Functions for both now handle only results. */
export class PublishResults1765300000000 implements MigrationInterface {
  readonly name = "PublishResults1765300000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("publish-results.sql", import.meta.url), "utf8"));
    await runner.query(
      monthsSql({
        schema: "experiments",
        parents: { results: ["test", "evaluation"] },
        hidden: { results: ["test", "evaluation"] },
        counted: { kind: "results", table: "test", groups: ["run_type", "status"] },
      }),
    );
  }

  async down(): Promise<void> {
    throw new Error("traces cannot go back to experiments: restore a backup");
  }
}
