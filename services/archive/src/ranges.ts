// Archived ranges of a kind, computed from PostgreSQL's batch records.

import type { UnnamedStatement } from "@ems/kit/db/snapshot";
import type { ArchivedRanges, ArchiveKind } from "./types.ts";

/**
 * Reads an application's archived ranges as one row, for any number of batches. `relation` is `<schema>.archive_extent`
 * or a view of it that is published to other services.
 */
export function buildRangesStatement(relation: string, applicationId: string, kind: ArchiveKind): UnnamedStatement {
  const batches = `FROM ${relation} b WHERE b.application_id = $1 AND b.kind = $2`;
  const ms = (bound: string) => `(extract(epoch FROM ${bound}(one)) * 1000)::bigint`;
  const list = (values: string) => `coalesce((SELECT json_agg(${values}), '[]')`;
  // range_agg merges adjacent intervals.
  return {
    text: `SELECT ${list(`json_build_object('from', ${ms("lower")}, 'to', ${ms("upper")}) ORDER BY one)
        FROM (SELECT unnest(range_agg(tstzrange(b.starts, b.ends))) AS one ${batches} AND b.state = 'dropped') interval`)} AS intervals,
      ${list(`b.number ORDER BY b.starts, b.number) ${batches} AND b.state <> 'dropped'`)} AS hidden,
      coalesce((SELECT max(b.number) ${batches}), 0) AS "upTo"`,
    values: [applicationId, kind],
  };
}

export const nothing: ArchivedRanges = { intervals: [], hidden: [] };

/** Clips the archived ranges to the time from `from` until `until`, which is exclusive. */
export function clipToRange({ intervals, ...batches }: ArchivedRanges, from?: Date, until?: Date): ArchivedRanges {
  const [low, high] = [from?.getTime() ?? Number.NEGATIVE_INFINITY, until?.getTime() ?? Number.POSITIVE_INFINITY];
  const parts = intervals.map(({ from, to }) => ({ from: Math.max(from, low), to: Math.min(to, high) }));
  return { ...batches, intervals: parts.filter(({ from, to }) => from < to) };
}

/** Clips the archived ranges to the time from the first to the last of `times`. */
export function clipToTimes(ranges: ArchivedRanges, times: readonly Date[]): ArchivedRanges {
  if (times.length === 0) return { ...ranges, intervals: [] };
  const ms = times.map((time) => time.getTime());
  return clipToRange(ranges, new Date(Math.min(...ms)), new Date(Math.max(...ms) + 1));
}
