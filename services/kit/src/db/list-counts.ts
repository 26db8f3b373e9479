// SQL over row counts (list-counts-schema.ts): a list's total, and the time interval that contains a page. Each reads
// at most 64 intervals of each length, by group and slot, and the rows of two of the shortest intervals.

import type { Parameters } from "./parameters.ts";

/** Row counts that a list request reads. */
export interface CountSource {
  /** Alias of both counts and rows in FROM, so that group predicates apply to both. */
  readonly alias: string;
  readonly counts: string;
  readonly rows: string;
  /** Conditions on tenant and groups. */
  readonly where: string;
}

/** Time range of a request, and the column that it limits. */
export interface TimeRange {
  readonly column: string;
  /** Inclusive start of the range. */
  readonly from: Date | undefined;
  /** Exclusive end of the range. */
  readonly until: Date | undefined;
}

/** Interval lengths, as powers of two in milliseconds; each contains 64 of the next. */
const bits = [30, 24, 18] as const;
const leafBits = 18;

/** SQL: number of rows in the range. */
export function buildTotal(source: CountSource, range: TimeRange, parameters: Parameters): string {
  const { column, from, until } = range;
  const below = until === undefined ? allRows(source, column) : rowsBefore(source, column, until, parameters);
  return from === undefined ? below : `greatest(${below} - ${rowsBefore(source, column, from, parameters)}, 0)`;
}

/** SQL: number of rows that sort before those in the range. */
export function rowsAhead(
  source: CountSource,
  { column, from, until }: TimeRange,
  direction: "ASC" | "DESC",
  parameters: Parameters,
): string {
  const bound = direction === "ASC" ? from : until;
  if (bound === undefined) return "0";
  const before = rowsBefore(source, column, bound, parameters);
  return direction === "ASC" ? before : `${allRows(source, column)} - ${before}`;
}

/**
 * SQL that returns one row: `low` and `high`, the first and last of the shortest intervals that contain the rows of
 * ranks `first` to `last`, and `ahead`, the rank of the first row in them. Ranks start at 0 in the order of `column`;
 * without rows all values are null.
 */
export function buildPlace(
  source: CountSource,
  column: string,
  direction: "ASC" | "DESC",
  { first, last }: { first: string; last: string },
): string {
  const levels = bits.map((length, index) => {
    const parent = index === 0 ? undefined : `level_${bits[index - 1]}`;
    const within =
      parent === undefined ? "" : ` AND bucket BETWEEN ${parent}.bucket * 64 AND ${parent}.bucket * 64 + 63`;
    return `LATERAL (
      SELECT bucket, ahead FROM (
        SELECT bucket, total, ${parent === undefined ? "" : `${parent}.ahead + `}sum(total) OVER (ORDER BY bucket ${direction}) - total AS ahead
        FROM (SELECT bucket, sum(${source.alias}.rows) AS total ${fromCounts(source, column, length)}${within} GROUP BY bucket) totals
      ) ranked WHERE page.rank >= ahead AND page.rank < ahead + total
    ) level_${length}`;
  });
  const leaf = `level_${leafBits}`;
  return `SELECT min(${leaf}.bucket) AS low, max(${leaf}.bucket) AS high, min(${leaf}.ahead) AS ahead
    FROM (VALUES (${first}), (${last})) page (rank), ${levels.join(", ")}`;
}

/**
 * SQL: the intervals of `place` that have rows, as times `low` (inclusive) and `high` (exclusive). A page's rows are in
 * few intervals, even if they are far apart.
 */
export function buildIntervals(source: CountSource, column: string): string {
  const start = (bucket: string) => `to_timestamp((${bucket} << ${leafBits}) / 1000.0)`;
  return `SELECT ${start("bucket")} AS low, ${start("(bucket + 1)")} AS high ${fromCounts(source, column, leafBits)}
      AND bucket BETWEEN (SELECT low FROM place) AND (SELECT high FROM place)
    GROUP BY bucket HAVING sum(rows) > 0`;
}

/** Hides a value from the planner, so that one cached plan serves all values at the same cost. */
export function hidden(placeholder: string, type: string): string {
  return `(SELECT ${placeholder}::${type})::${type}`;
}

/** SQL: number of rows with a time before `instant`. */
function rowsBefore(source: CountSource, column: string, instant: Date, parameters: Parameters): string {
  const toBucket = (length: number) => Math.floor(instant.getTime() / 2 ** length);
  const terms = bits.map((length, index) => {
    const parent = bits[index - 1];
    const from =
      parent === undefined ? "" : ` AND bucket >= ${hidden(parameters.add(toBucket(parent) * 64), "bigint")}`;
    const until = ` AND bucket < ${hidden(parameters.add(toBucket(length)), "bigint")}`;
    return `(SELECT coalesce(sum(rows), 0) ${fromCounts(source, column, length)}${from}${until})`;
  });
  const { alias, rows, where } = source;
  const from = hidden(parameters.add(new Date(toBucket(leafBits) * 2 ** leafBits)), "timestamptz");
  const until = hidden(parameters.add(instant), "timestamptz");
  const leaf = `(SELECT count(*) FROM ${rows} WHERE ${where} AND ${alias}."${column}" >= ${from} AND ${alias}."${column}" < ${until})`;
  return `(${[...terms, leaf].join(" + ")})`;
}

function allRows(source: CountSource, column: string): string {
  return `(SELECT coalesce(sum(rows), 0) ${fromCounts(source, column, bits[0])})`;
}

function fromCounts({ alias, counts, where }: CountSource, column: string, length: number): string {
  return `FROM ${counts} ${alias} WHERE ${where} AND ordered_by = '${column}' AND bits = ${length}`;
}
