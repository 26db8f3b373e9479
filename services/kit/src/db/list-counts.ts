// Row counts in SQL (list-counts-schema.ts): a list's total, and the interval of time in which a page lies. Each reads at most 64
// intervals of each length, by group and slot, and the rows of two of the shortest ones.

import type { Parameters } from "./parameters.ts";

/** The counts that a list's request is answered from. */
export interface CountSource {
  /** What FROM calls counts and rows alike, so that predicates of groups hold for both. */
  readonly alias: string;
  readonly counts: string;
  readonly rows: string;
  /** Tenant and groups. */
  readonly where: string;
}

/** The times of a request's rows, in the column that bounds them. */
export interface TimeRange {
  readonly column: string;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
}

/** Lengths of intervals, in powers of two milliseconds; each has 64 of the next. */
const bits = [30, 24, 18] as const;
const leafBits = 18;

/** How many rows there are in the range. */
export function totalOf(source: CountSource, range: TimeRange, parameters: Parameters): string {
  const { column, from, until } = range;
  const below = until === undefined ? allRows(source, column) : rowsBefore(source, column, until, parameters);
  return from === undefined ? below : `greatest(${below} - ${rowsBefore(source, column, from, parameters)}, 0)`;
}

/** How many rows the order has before those of the range. */
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
 * Answers one row: the first and the last (`low`, `high`) of the shortest intervals in which the rows of the ranks `first` and `last`
 * lie, and `ahead`, the rank of the first row in them. Ranks count from 0 in the order of `column`; without rows all are null.
 */
export function placeOf(
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
 * The intervals of `place` that have rows, as times `low` (inclusive) and `high` (exclusive). Few have rows of a page, however far
 * apart its rows are.
 */
export function intervalsOf(source: CountSource, column: string): string {
  const start = (bucket: string) => `to_timestamp((${bucket} << ${leafBits}) / 1000.0)`;
  return `SELECT ${start("bucket")} AS low, ${start("(bucket + 1)")} AS high ${fromCounts(source, column, leafBits)}
      AND bucket BETWEEN (SELECT low FROM place) AND (SELECT high FROM place)
    GROUP BY bucket HAVING sum(rows) > 0`;
}

/** A value that the planner does not see: plans for all values cost as much as plans for these, and are kept. */
export function hidden(placeholder: string, type: string): string {
  return `(SELECT ${placeholder}::${type})::${type}`;
}

/** How many rows have a time before `instant`. */
function rowsBefore(source: CountSource, column: string, instant: Date, parameters: Parameters): string {
  const bucketOf = (length: number) => Math.floor(instant.getTime() / 2 ** length);
  const terms = bits.map((length, index) => {
    const parent = bits[index - 1];
    const from =
      parent === undefined ? "" : ` AND bucket >= ${hidden(parameters.add(bucketOf(parent) * 64), "bigint")}`;
    const until = ` AND bucket < ${hidden(parameters.add(bucketOf(length)), "bigint")}`;
    return `(SELECT coalesce(sum(rows), 0) ${fromCounts(source, column, length)}${from}${until})`;
  });
  const { alias, rows, where } = source;
  const from = hidden(parameters.add(new Date(bucketOf(leafBits) * 2 ** leafBits)), "timestamptz");
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
