// What is carried next: an interval that ends with a day or within it, whose rows are of that day and over.

import type { Database } from "../db/database.ts";
import type { Place } from "./batches.ts";
import { gapsOf } from "./batches.ts";
import type { ArchivedKind } from "./kind.ts";
import type { Interval } from "./types.ts";

const dayMs = 86_400_000;
const timeoutMs = 60_000;

interface Head {
  /** Times in milliseconds: of the first row that is over where no other is busy, and of the busy ones around it. */
  readonly first: number | null;
  readonly busyBefore: number | null;
  readonly busyAfter: number | null;
  /** Of the last row that was looked at, where there are more. */
  readonly last: number | null;
}

export interface Search extends Place {
  readonly archived: ArchivedKind;
  readonly batchRows: number;
}

/** The first interval within `within` that may be carried, with `batchRows` rows of the root at most, but for those of one time. */
export async function nextInterval(
  database: Database,
  search: Search,
  within: Interval,
): Promise<Interval | undefined> {
  for (const gap of await gapsOf(database, search, within)) {
    let { from } = gap;
    while (from < gap.to) {
      const { first, busyBefore, busyAfter, last } = await headOf(database, search, { from, to: gap.to }, within.to);
      if (first !== null) {
        const day = Math.floor(first / dayMs) * dayMs;
        const full = last === null ? Number.POSITIVE_INFINITY : Math.max(last, first + 1);
        return {
          // Intervals of days without rows in between are one: whoever reads names few.
          from: Math.max(from === 0 ? day : from, (busyBefore ?? Number.NEGATIVE_INFINITY) + 1),
          to: Math.min(gap.to, day + dayMs, busyAfter ?? Number.POSITIVE_INFINITY, full),
        };
      }
      from = last === null ? gap.to : last + 1;
    }
  }
  return undefined;
}

async function headOf(
  database: Database,
  { applicationId, archived: { root, busy }, batchRows }: Search,
  { from, to }: Interval,
  horizon: number,
): Promise<Head> {
  const ms = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
  const text = `WITH head AS MATERIALIZED (
      SELECT r.created_at AS at, (${busy}) AS is_busy FROM ${root} r
      WHERE r.application_id = $1 AND r.created_at >= $2 AND r.created_at < $3 ORDER BY r.created_at LIMIT $5 + 1
    ), times AS MATERIALIZED (
      SELECT at, bool_or(is_busy) AS is_busy, count(*) AS rows FROM head GROUP BY at
    ), free AS (SELECT min(at) AS at FROM times WHERE NOT is_busy)
    SELECT ${ms("free.at")} AS first,
      ${ms("(SELECT max(t.at) FROM times t WHERE t.is_busy AND t.at < free.at)")} AS "busyBefore",
      ${ms("(SELECT min(t.at) FROM times t WHERE t.is_busy AND t.at > free.at)")} AS "busyAfter",
      ${ms("(SELECT max(t.at) FROM times t HAVING sum(t.rows) > $5)")} AS last
    FROM free`;
  const values = [applicationId, new Date(from), new Date(to), new Date(horizon), batchRows];
  const [head] = await database.withScope({ applicationId }, Date.now() + timeoutMs, (tx) =>
    tx.query<Head>(text, values),
  );
  return head ?? { first: null, busyBefore: null, busyAfter: null, last: null };
}
