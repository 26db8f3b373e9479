// The batches of a schema. Their state is in PostgreSQL alone.

import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { ArchiveKind, Interval, Sums } from "./types.ts";

/** Application and kind that batches belong to. */
export interface Place {
  readonly schema: string;
  readonly applicationId: string;
  readonly kind: ArchiveKind;
}

/**
 * State of a batch. `open`: its rows are being written to ClickHouse. `dropped`: ClickHouse has the only copy.
 * `restored`: PostgreSQL has the rows again; ClickHouse's copy is not read. `withdrawn`: ClickHouse's copy is not read
 * and is deleted later. `published` (versions before 0.2): copied, but not yet deleted from PostgreSQL.
 */
export type BatchState = "open" | "published" | "dropped" | "restored" | "withdrawn";

export interface Batch extends Place, Interval {
  readonly number: number;
  readonly state: BatchState;
  readonly rows: number;
  /** Sums of the batch's rows, by table. */
  readonly checks: Readonly<Record<string, Sums>>;
}

const timeoutMs = 30_000;

/**
 * Batches to withdraw: open for longer than a request to ClickHouse may take, restored longer ago than `$3` days, or
 * left by a version before 0.2.
 */
export const abandoned = `((b.state = 'open' AND b.changed_at < now() - interval '15 minutes') OR b.state = 'published'
  OR (b.state = 'restored' AND b.changed_at < now() - $3 * interval '1 day'))`;
/** Batches that no running request can still read. */
export const unread = "b.state = 'withdrawn' AND b.changed_at < now() - interval '1 hour'";

const listColumns = (
  schema: string,
) => `'${schema}' AS schema, b.application_id AS "applicationId", b.kind, b.number, b.state, b.checks,
  b.rows::float8 AS rows, ${ms("b.starts")} AS "from", ${ms("b.ends")} AS "to"`;

/** SQL: converts a time to milliseconds, as in `Interval`. */
export function ms(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000)::float8`;
}

/** SQL: selects the batches `b` that match a condition. */
export function batchesWhere(schema: string, condition: string): string {
  return `SELECT ${listColumns(schema)} FROM ${schema}.archive_batch b WHERE ${condition}`;
}

/** SQL: sets the state of the matching batches `b` of application `$1` and kind `$2`, and returns them. */
export function batchesBecome(schema: string, state: BatchState, condition: string, assignments = ""): string {
  return `UPDATE ${schema}.archive_batch b SET state = '${state}', changed_at = now()${assignments}
    WHERE b.application_id = $1 AND b.kind = $2 AND ${condition} RETURNING ${listColumns(schema)}`;
}

/** Finds the place's batches that match a condition. `values` are the parameters from `$3` on. */
export function findBatches(database: Database, place: Place, condition: string, ...values: unknown[]) {
  const text = batchesWhere(place.schema, `b.application_id = $1 AND b.kind = $2 AND ${condition}`);
  return run(database, place, text, values);
}

/** Withdraws the matching batches, so that their intervals are archived again; parameters as in `findBatches`. */
export function withdrawBatches(database: Database, place: Place, condition: string, ...values: unknown[]) {
  return run(database, place, batchesBecome(place.schema, "withdrawn", condition), values);
}

async function run(database: Database, place: Place, text: string, values: readonly unknown[]): Promise<Batch[]> {
  const { applicationId, kind } = place;
  return database.withScope({ applicationId }, monotonicMs() + timeoutMs, (tx) =>
    tx.query<Batch>(text, [applicationId, kind, ...values]),
  );
}

/** Reserves an interval for a new batch; undefined if another process has already reserved it. */
export async function openBatch(database: Database, place: Place, interval: Interval): Promise<Batch | undefined> {
  const { schema, applicationId, kind } = place;
  const text = `INSERT INTO ${schema}.archive_batch AS b (application_id, kind, starts, ends)
    SELECT $1::uuid, $2, $3::timestamptz, $4::timestamptz WHERE NOT EXISTS (SELECT FROM ${schema}.archive_batch o
      WHERE o.application_id = $1 AND o.kind = $2 AND o.state <> 'withdrawn' AND o.starts < $4 AND o.ends > $3)
    RETURNING ${listColumns(schema)}`;
  const [batch] = await database.withScope({ applicationId }, monotonicMs() + timeoutMs, async (tx) => {
    tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`archive ${schema} ${applicationId} ${kind}`]);
    return tx.query<Batch>(text, [applicationId, kind, new Date(interval.from), new Date(interval.to)]);
  });
  return batch;
}

/** Deletes the records of withdrawn batches that have no rows left. */
export async function forgetBatches(database: Database, place: Place, numbers: readonly number[]): Promise<void> {
  const text = `DELETE FROM ${place.schema}.archive_batch
    WHERE application_id = $1 AND kind = $2 AND state = 'withdrawn' AND number = ANY ($3::integer[])`;
  await run(database, place, text, [numbers]);
}
