import { readFileSync } from "node:fs";
import { auditTriggersSql } from "@ems/kit/db/audit-schema";
import { countMovesSql, countTriggersSql } from "@ems/kit/db/list-counts-schema";
import { monthsSql } from "@ems/kit/db/months-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

const readSql = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** Moves the tables of traces from experiments, whose first migration created them, to their own service. */
export class MoveTraces1765300100000 implements MigrationInterface {
  readonly name = "MoveTraces1765300100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql("move-tables.sql"));
    await runner.query(readSql("find-traces.sql"));
    await runner.query(
      monthsSql({
        schema: "traces",
        parents: { traces: ["trace_step", "trace_words"] },
        hidden: { traces: ["trace"] },
        unanalyzed: { trace_words: ["words"] },
      }),
    );
    const counted = {
      schema: "traces",
      table: "trace",
      tenant: "application_id",
      times: ["created_at", "timestamp"],
      groups: [],
    } as const;
    await runner.query(countTriggersSql(counted));
    await runner.query(countMovesSql(counted, "timestamp"));
    await runner.query(
      auditTriggersSql("traces", { table: "ingest_setting", resource: "ingest-settings", id: "application_id" }),
    );
    await runner.query("SELECT traces.hide_expired()");
    await runner.query(readSql("published-views.sql"));
  }

  async down(): Promise<void> {
    throw new Error("traces cannot move back to experiments: restore a backup");
  }
}
