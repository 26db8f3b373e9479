import { fillSearchV1, unfillSearchV1 } from "@ems/kit/db/search-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { searched } from "./1763760000000-create-search.ts";

/** The texts of rows that are older than CreateSearch. Batches are committed one by one, so that nobody waits for all. */
export class FillSearch1763760100000 implements MigrationInterface {
  readonly name = "FillSearch1763760100000";
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await fillSearchV1(runner, "identity", searched);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(unfillSearchV1("identity"));
  }
}
