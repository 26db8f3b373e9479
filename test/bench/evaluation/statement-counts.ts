// How many statements PostgreSQL runs.

import type pg from "pg";

/** Counts from now on; the answer reads the count. */
export async function statementCounts(client: pg.Client): Promise<() => Promise<number>> {
  await client.query("SELECT pg_stat_statements_reset()");
  return async () => {
    const { rows } = await client.query("SELECT sum(calls)::int AS count FROM pg_stat_statements");
    return rows[0].count;
  };
}
