// The next interval to archive: it ends at or within a UTC day, and all of its rows are finished.

import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { ms, type Place } from "./batches.ts";
import type { ArchivedKind } from "./kind.ts";
import type { Interval } from "./types.ts";

const timeoutMs = 60_000;

export interface Search extends Place {
  readonly archived: ArchivedKind;
  readonly batchRows: number;
}

/**
 * Returns the first interval in `within` that can be archived. It has at most `batchRows` root rows, or more if they
 * share one time.
 */
export async function nextInterval(
  database: Database,
  { schema, applicationId, kind, archived: { root, busy }, batchRows }: Search,
  within: Interval,
): Promise<Interval | undefined> {
  const read = <Row extends object>(text: string, values: readonly unknown[]) =>
    database.withScope({ applicationId }, monotonicMs() + timeoutMs, (tx) => tx.query<Row>(text, values));
  const [low, horizon] = [new Date(within.from), new Date(within.to)];
  for (const gap of await read<Interval>(buildGaps(schema), [applicationId, kind, low, horizon])) {
    let { from } = gap;
    while (from < gap.to) {
      const values = [applicationId, new Date(from), new Date(gap.to), horizon, batchRows];
      const [head] = await read<Head>(buildHead(root, busy), values);
      if (head?.isFree) return { from: head.from, to: head.to };
      from = head?.last == null ? gap.to : head.last + 1;
    }
  }
  return undefined;
}

/** SQL: the intervals that no batch covers or reserves, in order. */
function buildGaps(schema: string): string {
  return `SELECT ${ms("lower(gap)")} AS "from", ${ms("upper(gap)")} AS "to"
    FROM (SELECT range_agg(tstzrange(b.starts, b.ends)) AS taken FROM ${schema}.archive_batch b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.state <> 'withdrawn' AND b.ends > $3::timestamptz) batches,
      unnest(tstzmultirange(tstzrange($3, greatest($3, $4::timestamptz))) - coalesce(taken, '{}')) gap
    ORDER BY gap`;
}

interface Head extends Interval {
  /** True if some finished rows have no busy row among them; the interval contains the first of them. */
  readonly isFree: boolean;
  /** Creation time of the last row that was examined; null if there are no more rows. */
  readonly last: number | null;
}

/** SQL: the interval between busy rows, up to the end of a day. `least`, `greatest` and `coalesce` ignore nulls. */
function buildHead(root: string, busy: string): string {
  const rows = `FROM ${root} r WHERE r.application_id = $1 AND r.created_at >= $2 AND r.created_at <`;
  const after = (time: string) => `${time} + interval '1 ms'`;
  // Start at `$2` even if the first row is days later: adjacent intervals are one range for readers.
  const start = "coalesce(nullif($2::timestamptz, to_timestamp(0)), day)";
  return `WITH first AS MATERIALIZED (
      SELECT day, least($3::timestamptz, day + interval '24 hours') AS ends
      FROM (SELECT date_trunc('day', min(r.created_at), 'UTC') AS day ${rows} $3::timestamptz) oldest
    ), head AS MATERIALIZED (
      SELECT r.created_at AS at, (${busy}) AS is_busy ${rows} (SELECT ends FROM first) ORDER BY r.created_at LIMIT $5 + 1
    ), times AS MATERIALIZED (
      SELECT at, bool_or(is_busy) AS is_busy, count(*) AS rows FROM head GROUP BY at
    ), found AS (
      SELECT first.*, free.at,
        (SELECT max(t.at) FROM times t WHERE t.is_busy AND t.at < free.at) AS busy_before,
        (SELECT min(t.at) FROM times t WHERE t.is_busy AND t.at > free.at) AS busy_after,
        (SELECT max(t.at) FROM times t HAVING sum(t.rows) > $5) AS last
      FROM first, (SELECT min(at) AS at FROM times WHERE NOT is_busy) free
    )
    SELECT at IS NOT NULL AS "isFree", ${ms("coalesce(last, nullif(ends, $3) - interval '1 ms')")} AS last,
      ${ms(`greatest(${start}, ${after("busy_before")})`)} AS "from",
      ${ms(`least(ends, busy_after, CASE WHEN last IS NOT NULL THEN greatest(last, ${after("at")}) END)`)} AS "to"
    FROM found`;
}
