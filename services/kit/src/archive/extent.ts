// What of a kind is archived, by the batches that PostgreSQL knows.

import type { UnnamedStatement } from "../db/snapshot.ts";
import type { ArchiveKind, Extent, Interval } from "./types.ts";

export interface ExtentRow extends Interval {
  readonly number: number;
  readonly state: "open" | "published" | "dropped" | "restored" | "withdrawn";
}

/** Reads the batches for `extentOf`: from `<schema>.archive_extent`, or from a view like it that is published to others. */
export function extentStatement(relation: string, applicationId: string, kind: ArchiveKind): UnnamedStatement {
  const ms = (column: string) => `(extract(epoch FROM b.${column}) * 1000)::float8`;
  return {
    text: `SELECT b.number, b.state, ${ms("starts")} AS "from", ${ms("ends")} AS "to" FROM ${relation} b
      WHERE b.application_id = $1 AND b.kind = $2 ORDER BY b.starts`,
    values: [applicationId, kind],
  };
}

/** `rows` are in the order of their start. */
export function extentOf(rows: readonly ExtentRow[]): Extent {
  const isRead = ({ state }: ExtentRow) => state === "published" || state === "dropped";
  return {
    archived: merged(rows.filter(isRead)),
    dropped: merged(rows.filter(({ state }) => state === "dropped")),
    hidden: rows.filter((row) => !isRead(row)).map(({ number }) => number),
    upTo: rows.reduce((most, { number }) => Math.max(most, number), 0),
  };
}

function merged(intervals: readonly Interval[]): Interval[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = result.at(-1);
    if (last?.to === from) last.to = to;
    else result.push({ from, to });
  }
  return result;
}
