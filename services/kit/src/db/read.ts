import type { Pool, QueryResultRow } from "pg";
import { commit, type Statement, sendBatch } from "./batch.ts";
import { type Limits, withConnection } from "./connection.ts";
import { readScopeStatements, type Scope } from "./scope.ts";

/** Opens a transaction whose statements share one snapshot. */
export const beginSnapshot: Statement = {
  name: "ems-begin-snapshot",
  text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  values: [],
};

/** Reads the rows of each statement in one snapshot and one round trip. */
export function readBatch(
  pool: Pool,
  scope: Scope,
  limits: Limits,
  statements: readonly Statement[],
): Promise<QueryResultRow[][]> {
  return withConnection(pool, limits, async (client, endMs) => {
    const scoped = readScopeStatements(client, scope, endMs);
    const isOne = statements.length === 1;
    const opening = isOne ? scoped : [beginSnapshot, ...scoped];
    const results = await sendBatch(client, [...opening, ...statements, ...(isOne ? [] : [commit])]);
    return results.slice(opening.length, opening.length + statements.length).map(({ rows }) => rows);
  });
}
