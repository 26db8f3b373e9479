// Which intervals of a kind are in the archive, by the batches that PostgreSQL knows.

import type { UnnamedStatement } from "@ems/kit/db/snapshot";
import type { ArchiveKind, Extent } from "./types.ts";

/**
 * Reads an application's `Extent`, as one row, whatever the number of batches: from `<schema>.archive_extent`, or from a view like
 * it that is published to other services.
 */
export function extentStatement(relation: string, applicationId: string, kind: ArchiveKind): UnnamedStatement {
  const batches = `FROM ${relation} b WHERE b.application_id = $1 AND b.kind = $2`;
  const ms = (bound: string) => `(extract(epoch FROM ${bound}(one)) * 1000)::bigint`;
  const list = (values: string) => `coalesce((SELECT json_agg(${values}), '[]')`;
  // range_agg makes one interval of adjacent ones.
  return {
    text: `SELECT ${list(`json_build_object('from', ${ms("lower")}, 'to', ${ms("upper")}) ORDER BY one)
        FROM (SELECT unnest(range_agg(tstzrange(b.starts, b.ends))) AS one ${batches} AND b.state = 'dropped') interval`)} AS intervals,
      ${list(`b.number ORDER BY b.starts, b.number) ${batches} AND b.state <> 'dropped'`)} AS hidden,
      coalesce((SELECT max(b.number) ${batches}), 0) AS "upTo"`,
    values: [applicationId, kind],
  };
}

export const nothing: Extent = { intervals: [], hidden: [] };

/** The part of the extent between two times; `until` is exclusive. */
export function clipped({ intervals, ...batches }: Extent, from?: Date, until?: Date): Extent {
  const [low, high] = [from?.getTime() ?? Number.NEGATIVE_INFINITY, until?.getTime() ?? Number.POSITIVE_INFINITY];
  const parts = intervals.map(({ from, to }) => ({ from: Math.max(from, low), to: Math.min(to, high) }));
  return { ...batches, intervals: parts.filter(({ from, to }) => from < to) };
}

/** The part of the extent from the first to the last of these moments. */
export function clippedTo(extent: Extent, times: readonly Date[]): Extent {
  if (times.length === 0) return { ...extent, intervals: [] };
  const ms = times.map((time) => time.getTime());
  return clipped(extent, new Date(Math.min(...ms)), new Date(Math.max(...ms) + 1));
}
