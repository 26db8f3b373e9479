// The batches of a schema: PostgreSQL alone says what state they are in.

import type { Database } from "../db/database.ts";
import type { Sums } from "./sums.ts";
import type { ArchiveKind, Interval } from "./types.ts";

/** Whose batches. */
export interface Place {
  readonly schema: string;
  readonly applicationId: string;
  readonly kind: ArchiveKind;
}

export interface Batch extends Place, Interval {
  readonly number: number;
}

const timeoutMs = 30_000;
const pollMs = 50;
const waitMs = 60_000;

/** Runs a statement whose `$1` and `$2` are application and kind. */
async function run<Row extends object>(
  database: Database,
  { applicationId, kind }: Place,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return database.withScope({ applicationId }, Date.now() + timeoutMs, async (tx) =>
    tx.query<Row>(text, [applicationId, kind, ...values]),
  );
}

/** Intervals until `before` that no batch covers or is about to, in order. */
export async function gapsOf(database: Database, place: Place, { from, to }: Interval): Promise<Interval[]> {
  const text = `SELECT (extract(epoch FROM starts) * 1000)::float8 AS "from", (extract(epoch FROM ends) * 1000)::float8 AS "to"
    FROM ${place.schema}.archive_batch WHERE application_id = $1 AND kind = $2 AND state <> 'withdrawn' AND ends > $3
    ORDER BY starts`;
  const gaps: Interval[] = [];
  let end = from;
  for (const batch of await run<Interval>(database, place, text, [new Date(from)])) {
    if (batch.from > end) gaps.push({ from: end, to: Math.min(batch.from, to) });
    end = Math.max(end, batch.to);
  }
  if (end < to) gaps.push({ from: end, to });
  return gaps.filter((gap) => gap.from < gap.to);
}

/** Reserves the interval; undefined where another process was faster. */
export async function openBatch(database: Database, place: Place, interval: Interval): Promise<Batch | undefined> {
  const { schema, applicationId, kind } = place;
  const text = `INSERT INTO ${schema}.archive_batch AS b (application_id, kind, starts, ends)
    SELECT $1::uuid, $2, $3::timestamptz, $4::timestamptz WHERE NOT EXISTS (SELECT FROM ${schema}.archive_batch o
      WHERE o.application_id = $1 AND o.kind = $2 AND o.state <> 'withdrawn' AND o.starts < $4 AND o.ends > $3)
    RETURNING number`;
  const [row] = await database.withScope({ applicationId }, Date.now() + timeoutMs, async (tx) => {
    tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`archive ${schema} ${applicationId} ${kind}`]);
    return tx.query<Pick<Batch, "number">>(text, [applicationId, kind, new Date(interval.from), new Date(interval.to)]);
  });
  return row && { ...place, ...interval, ...row };
}

/** Waits until the transactions are over that began before the batch was opened: they change its rows without withdrawing it. */
export async function waitForEarlier(database: Database, batch: Batch, signal: AbortSignal): Promise<void> {
  const endMs = Date.now() + waitMs;
  // Of now, and not of the batch: whoever began beside it may have looked for batches before it was there.
  const border = { text: "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid", values: [] };
  const { applicationId } = batch;
  const [began] = await database.readScoped<{ xid: string }>({ applicationId }, Date.now() + timeoutMs, border);
  const text = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS over";
  const statement = { text, values: [began?.xid] };
  while (Date.now() < endMs) {
    signal.throwIfAborted();
    const [row] = await database.readScoped<{ over: boolean }>({ applicationId }, Date.now() + timeoutMs, statement);
    if (row?.over === true) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("a transaction takes longer than batches of the archive wait");
}

/** Has the batch read; false when it was withdrawn meanwhile. */
export async function publishBatch(database: Database, batch: Batch, checks: Readonly<Record<string, Sums>>) {
  const rows = Object.values(checks).reduce((sum, table) => sum + Number(table.rows), 0);
  const text = `UPDATE ${batch.schema}.archive_batch SET state = 'published', rows = $4, checks = $5, changed_at = now()
    WHERE application_id = $1 AND kind = $2 AND number = $3 AND state = 'open' RETURNING number`;
  const published = await run(database, batch, text, [batch.number, rows, JSON.stringify(checks)]);
  return published.length === 1;
}

/** Gives up batches that are open: one, or all that a process left behind. */
export async function withdrawOpen(database: Database, place: Place & { number?: number }): Promise<number> {
  const isOurs = place.number === undefined ? `changed_at < now() - ${openFor}` : "number = $3";
  const text = `UPDATE ${place.schema}.archive_batch SET state = 'withdrawn', changed_at = now()
    WHERE application_id = $1 AND kind = $2 AND state = 'open' AND ${isOurs} RETURNING number`;
  const values = place.number === undefined ? [] : [place.number];
  return (await run(database, place, text, values)).length;
}

/** Has what was restored be carried again, once it has been there for the days. */
export async function withdrawRestored(database: Database, place: Place, days: number): Promise<void> {
  const text = `UPDATE ${place.schema}.archive_batch SET state = 'withdrawn', changed_at = now()
    WHERE application_id = $1 AND kind = $2 AND state = 'restored' AND changed_at < now() - $3 * interval '1 day'`;
  await run(database, place, text, [days]);
}

/** Longer than a request to ClickHouse may take: whoever opened the batch is gone. */
const openFor = "interval '15 minutes'";
/** After this time no request of a batch is under way any more. */
const withdrawnFor = "interval '1 hour'";

/** Numbers of batches that nobody may read. */
export async function hiddenBatches(database: Database, place: Place): Promise<number[]> {
  const text = `SELECT number FROM ${place.schema}.archive_batch
    WHERE application_id = $1 AND kind = $2 AND state NOT IN ('published', 'dropped')`;
  const rows = await run<{ number: number }>(database, place, text, []);
  return rows.map(({ number }) => number);
}

/** Withdrawn batches whose rows may be deleted. */
export async function withdrawnBatches(database: Database, place: Place): Promise<number[]> {
  const text = `SELECT number FROM ${place.schema}.archive_batch
    WHERE application_id = $1 AND kind = $2 AND state = 'withdrawn' AND changed_at < now() - ${withdrawnFor}`;
  const rows = await run<{ number: number }>(database, place, text, []);
  return rows.map(({ number }) => number);
}

/** Forgets withdrawn batches that have no rows any more. */
export async function forgetBatches(database: Database, place: Place, numbers: readonly number[]): Promise<void> {
  const text = `DELETE FROM ${place.schema}.archive_batch
    WHERE application_id = $1 AND kind = $2 AND state = 'withdrawn' AND number = ANY ($3::integer[])`;
  await run(database, place, text, [numbers]);
}
