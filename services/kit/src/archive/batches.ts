// The batches of a schema: PostgreSQL alone says what state they are in.

import { monotonicMs } from "../clock.ts";
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
  readonly state: "open" | "published" | "dropped" | "restored" | "withdrawn";
  readonly rows: number;
  /** What a batch that was published has, by table. */
  readonly checks: Readonly<Record<string, Sums>>;
}

const timeoutMs = 30_000;
const pollMs = 50;
const waitMs = 60_000;

const columnsOf = (
  schema: string,
) => `'${schema}' AS schema, b.application_id AS "applicationId", b.kind, b.number, b.state, b.checks,
  b.rows::float8 AS rows, ${ms("b.starts")} AS "from", ${ms("b.ends")} AS "to"`;

/** SQL: a time as an `Interval` has it. */
export function ms(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000)::float8`;
}

/** SQL: the batches `b` for which a condition holds. */
export function batchesWhere(schema: string, condition: string): string {
  return `SELECT ${columnsOf(schema)} FROM ${schema}.archive_batch b WHERE ${condition}`;
}

/** SQL: has those batches `b` of application `$1` and kind `$2` be in a state for which a condition holds, and answers them. */
export function batchesBecome(schema: string, state: Batch["state"], condition: string, others = ""): string {
  return `UPDATE ${schema}.archive_batch b SET state = '${state}', changed_at = now()${others}
    WHERE b.application_id = $1 AND b.kind = $2 AND ${condition} RETURNING ${columnsOf(schema)}`;
}

/** The batches of the place for which a condition holds, whose values are `$3` and so on. */
export function findBatches(database: Database, place: Place, condition: string, ...values: unknown[]) {
  return run(
    database,
    place,
    batchesWhere(place.schema, `b.application_id = $1 AND b.kind = $2 AND ${condition}`),
    values,
  );
}

/** As `findBatches`: gives them up, so that their intervals are carried again. */
export function withdrawBatches(database: Database, place: Place, condition: string, ...values: unknown[]) {
  return run(database, place, batchesBecome(place.schema, "withdrawn", condition), values);
}

async function run(database: Database, place: Place, text: string, values: readonly unknown[]): Promise<Batch[]> {
  const { applicationId, kind } = place;
  return database.withScope({ applicationId }, monotonicMs() + timeoutMs, (tx) =>
    tx.query<Batch>(text, [applicationId, kind, ...values]),
  );
}

/** Reserves the interval; undefined where another process was faster. */
export async function openBatch(database: Database, place: Place, interval: Interval): Promise<Batch | undefined> {
  const { schema, applicationId, kind } = place;
  const text = `INSERT INTO ${schema}.archive_batch AS b (application_id, kind, starts, ends)
    SELECT $1::uuid, $2, $3::timestamptz, $4::timestamptz WHERE NOT EXISTS (SELECT FROM ${schema}.archive_batch o
      WHERE o.application_id = $1 AND o.kind = $2 AND o.state <> 'withdrawn' AND o.starts < $4 AND o.ends > $3)
    RETURNING ${columnsOf(schema)}`;
  const [batch] = await database.withScope({ applicationId }, monotonicMs() + timeoutMs, async (tx) => {
    tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`archive ${schema} ${applicationId} ${kind}`]);
    return tx.query<Batch>(text, [applicationId, kind, new Date(interval.from), new Date(interval.to)]);
  });
  return batch;
}

/** Waits until the transactions are over that began before the batch was opened: they change its rows without withdrawing it. */
export async function waitForEarlier(database: Database, batch: Batch, signal: AbortSignal): Promise<void> {
  const endMs = monotonicMs() + waitMs;
  // Taken now, since a transaction that began beside the batch's may have looked for batches before this one was there. An id of its
  // own is above those of all transactions that run; the snapshot's `xmax` is only above those that have ended.
  const border = { text: "SELECT pg_current_xact_id()::text AS xid", values: [] };
  const { applicationId } = batch;
  const [began] = await database.readScoped<{ xid: string }>({ applicationId }, monotonicMs() + timeoutMs, border);
  const text = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS over";
  const statement = { text, values: [began?.xid] };
  while (monotonicMs() < endMs) {
    signal.throwIfAborted();
    const [row] = await database.readScoped<{ over: boolean }>({ applicationId }, monotonicMs() + timeoutMs, statement);
    if (row?.over === true) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("a transaction takes longer than batches of the archive wait");
}

/** Has the batch read; undefined when it was withdrawn meanwhile. */
export async function publishBatch(
  database: Database,
  batch: Batch,
  checks: Batch["checks"],
): Promise<Batch | undefined> {
  const rows = Object.values(checks).reduce((sum, table) => sum + Number(table.rows), 0);
  const text = batchesBecome(
    batch.schema,
    "published",
    "b.state = 'open' AND b.number = $3",
    ", rows = $4, checks = $5",
  );
  const [published] = await run(database, batch, text, [batch.number, rows, JSON.stringify(checks)]);
  return published;
}

/** Forgets withdrawn batches that have no rows any more. */
export async function forgetBatches(database: Database, place: Place, numbers: readonly number[]): Promise<void> {
  const text = `DELETE FROM ${place.schema}.archive_batch
    WHERE application_id = $1 AND kind = $2 AND state = 'withdrawn' AND number = ANY ($3::integer[])`;
  await run(database, place, text, [numbers]);
}
