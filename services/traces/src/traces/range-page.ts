// Reads the traces that arrived in a time range, page by page from the oldest, for work on stored traces.

import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { TraceRow } from "./entity.ts";

export interface TraceRange {
  readonly start: Date;
  readonly end: Date;
  /** Cursor of the previous page. */
  readonly cursor: string | undefined;
}

/** Limits of a page: traces, and the sum of a column. A trace beyond the sum is a page of its own. */
export interface PageLimits {
  readonly traces: number;
  readonly column: "steps" | "bytes";
  readonly sum: number;
}

export type PagedTrace = Pick<TraceRow, "id" | "createdAt" | "steps">;

export interface TracePage {
  readonly traces: readonly PagedTrace[];
  /** Number of archived traces in the range. */
  readonly archived: number;
  /** Cursor of the next page; undefined at the end. */
  readonly cursor: string | undefined;
}

const select = ({ traces, column, sum }: PageLimits) => `SELECT id, created_at AS "createdAt", steps FROM (
    SELECT t.*, sum(t.${column}) OVER (ORDER BY t.created_at, t.id) - t.${column} AS before FROM (
      SELECT t.id, t.created_at, t.steps, t.bytes FROM traces.trace t
      WHERE t.application_id = $1 AND t.created_at >= $2 AND t.created_at <= $3
        AND ($4::timestamptz IS NULL OR (t.created_at, t.id) > ($4::timestamptz, $5::uuid))
      ORDER BY t.created_at, t.id LIMIT ${traces}) t) t
  WHERE before = 0 OR before + ${column} <= ${sum} ORDER BY created_at, id`;
const archived = `SELECT count(*)::int AS count FROM traces.dropped_trace d
  WHERE d.application_id = $1 AND d.created_at >= $2 AND d.created_at <= $3`;

export async function readRangePage(
  database: Pick<Database, "readAll">,
  call: Call,
  { start, end, cursor }: TraceRange,
  limits: PageLimits,
): Promise<TracePage> {
  const values = [call.tenant.applicationId, start, end];
  const after = cursor === undefined ? [null, null] : readCursor(cursor);
  const [found = [], [counted] = []] = await database.readAll(call, [
    { name: `range-page-${limits.column}`, text: select(limits), values: [...values, ...after] },
    { name: "range-archived", text: archived, values },
  ]);
  // Safe casts: the statements select these columns.
  const traces = found as PagedTrace[];
  const last = traces.at(-1);
  return {
    traces,
    archived: (counted as { count: number } | undefined)?.count ?? 0,
    cursor: last && `${last.createdAt.getTime()}_${last.id}`,
  };
}

/** Reads a cursor, whose form the contract checks: milliseconds since 1970, and the id of a trace. */
function readCursor(cursor: string): [Date, string] {
  const [time = "", id = ""] = cursor.split("_");
  return [new Date(Number(time)), id];
}
