// Counts the statements that PostgreSQL runs.

import { setTimeout } from "node:timers/promises";
import type pg from "pg";

/** Resets the count; returns a function that reads it. */
export async function statementCounts(client: pg.Client): Promise<() => Promise<number>> {
  await client.query("SELECT pg_stat_statements_reset()");
  return async () => {
    const { rows } = await client.query("SELECT sum(calls)::int AS count FROM pg_stat_statements");
    return rows[0].count;
  };
}

/**
 * Returns the number of statements per request for `count` requests: statements that run more often than during idle
 * time of the same length. Statements that open, scope and commit transactions are left out.
 */
export async function statementsOfRequest(
  client: pg.Client,
  requests: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const startedMs = performance.now();
  const busy = await countsDuring(client, send);
  const atRest = await countsDuring(client, () => setTimeout(performance.now() - startedMs));
  return [...busy]
    .map(([id, count]) => Math.round((count - (atRest.get(id) ?? 0)) / requests))
    .reduce((sum, count) => sum + Math.max(0, count), 0);
}

const callsById = `SELECT queryid AS id, sum(calls)::int AS count FROM pg_stat_statements
  WHERE query !~ '^(BEGIN|COMMIT|SELECT set_config)' GROUP BY queryid`;

async function countsDuring(client: pg.Client, work: () => Promise<unknown>): Promise<Map<string, number>> {
  await client.query("SELECT pg_stat_statements_reset()");
  await work();
  const { rows } = await client.query<{ id: string; count: number }>(callsById);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
