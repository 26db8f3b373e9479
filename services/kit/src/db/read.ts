import type { Pool, QueryResultRow } from "pg";
import { commit, type Statement, sendBatch } from "./batch.ts";
import { type Limits, withConnection } from "./connection.ts";
import { readScopeStatement, type Scope } from "./scope.ts";

/** Opens a transaction whose statements all see one state. */
export const beginSnapshot: Statement = {
  name: "ems-begin-snapshot",
  text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  values: [],
};

/** The rows of each statement, all of one snapshot, in one round trip. */
export function readBatch(
  pool: Pool,
  scope: Scope,
  limits: Limits,
  statements: readonly Statement[],
): Promise<QueryResultRow[][]> {
  return withConnection(pool, limits, async (client, endMs) => {
    const scoped = readScopeStatement(scope, endMs);
    if (statements.length === 1) {
      const [, ...results] = await sendBatch(client, [scoped, ...statements]);
      return results.map(({ rows }) => rows);
    }
    const [, , ...results] = await sendBatch(client, [beginSnapshot, scoped, ...statements, commit]);
    return results.slice(0, -1).map(({ rows }) => rows);
  });
}
