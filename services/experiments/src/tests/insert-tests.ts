import { insertStatement } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import { addTo, rollups } from "../rollups/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";

/** Creates the monthly partitions that the dates need. First in a transaction, since it may wait for another one's. */
export function addMonths(tx: Transaction, dates: readonly Date[]): void {
  const days = new Set(dates.map((date) => date.toISOString().slice(0, 10)));
  tx.defer("SELECT experiments.add_months($1)", [[...days]]);
}

/** Inserts the tests and adds them to their rollups, in one deferred statement. */
export function insertTests(tx: Transaction, tests: readonly TestRow[]): void {
  const { text, values } = insertStatement(TestEntity, tests);
  const statement = `
    WITH inserted AS (${text} RETURNING *), task_stats AS (${addTo(rollups.taskStat, "inserted")}),
      run_stats AS (${addTo(rollups.runStat, "inserted")})
    ${addTo(rollups.testDay, "inserted")}`;
  tx.defer(statement, values);
}
