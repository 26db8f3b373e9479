// What of a kind is archived, by the batches that PostgreSQL knows.

import type { UnnamedStatement } from "../db/snapshot.ts";
import type { ArchiveKind } from "./types.ts";

/** Each is some forty bytes of a query's address. */
const returnedMax = 200;

/**
 * Reads an application's `Extent`, as one row, whatever the number of batches: from `<schema>.archive_extent`, or from a view like
 * it that is published to others. `returned` is as of `ArchivedKind`.
 */
export function extentStatement(
  relation: string,
  applicationId: string,
  kind: ArchiveKind,
  returned?: string,
): UnnamedStatement {
  const batches = `FROM ${relation} b WHERE b.application_id = $1 AND b.kind = $2`;
  const ms = (bound: string) => `(extract(epoch FROM ${bound}(one)) * 1000)::bigint`;
  const list = (values: string) => `coalesce((SELECT json_agg(${values}), '[]')`;
  // range_agg makes one interval of adjacent ones.
  const intervals = (states: string) =>
    list(`json_build_object('from', ${ms("lower")}, 'to', ${ms("upper")}) ORDER BY one)
      FROM (SELECT unnest(range_agg(tstzrange(b.starts, b.ends))) AS one ${batches} AND b.state IN (${states})) interval`);
  return {
    text: `SELECT ${intervals("'published', 'dropped'")} AS archived, ${intervals("'dropped'")} AS dropped,
      ${list(`b.number ORDER BY b.starts, b.number) ${batches} AND b.state NOT IN ('published', 'dropped')`)} AS hidden,
      coalesce((SELECT max(b.number) ${batches}), 0) AS "upTo",
      ${returned === undefined ? "'{}'" : `ARRAY(${returned} ORDER BY 1 LIMIT ${returnedMax})`}::text[] AS returned`,
    values: [applicationId, kind],
  };
}
