import { readFileSync } from "node:fs";
import { auditTriggersSql } from "@ems/kit/db/audit-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Adds totals of cached, cache-written and reasoning tokens to traces, the numbers of steps with and without a price, and
 * the prices of applications.
 */
export class AddTokenKinds1765400100000 implements MigrationInterface {
  readonly name = "AddTokenKinds1765400100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("add-token-kinds.sql", import.meta.url), "utf8"));
    await runner.query(
      auditTriggersSql("traces", { table: "model_price_list", resource: "model-prices", id: "application_id" }),
    );
  }

  async down(): Promise<void> {
    throw new Error("totals of traces cannot lose their kinds: restore a backup");
  }
}
