// Aggregates from which measures are computed. All are whole numbers: exact in any order of rows, and the aggregates of
// parts can be added.

import type { Column } from "../sources/index.ts";
import { isPercentile, percentileName } from "./histogram.ts";
import type { Measure } from "./plan.ts";

/** Names of a statement's columns that aggregate a measured column, numbered by that column's position. */
export interface Aggregate {
  readonly column: Column;
  /** Number of values that are not null. */
  readonly count: string;
  /** For booleans, the number of true values. */
  readonly sum: string;
  /** Minimum and maximum, if a measure needs them; those of booleans follow from count and sum. */
  readonly extremes?: { readonly min: string; readonly max: string };
  /** Sum of squares, if a measure needs it. */
  readonly squares?: string;
}

export function listAggregates(measures: readonly Measure[]): Aggregate[] {
  const aggregated = measures.filter(({ type }) => !isPercentile(type));
  const columns = new Set(aggregated.flatMap(({ column }) => (column === undefined ? [] : [column])));
  return [...columns].map((column, at) => {
    const has = (...types: Measure["type"][]) =>
      measures.some((measure) => measure.column === column && types.includes(measure.type));
    const aggregate = { column, count: `count_${at}`, sum: `sum_${at}` };
    if (column.type === "boolean") return aggregate;
    return {
      ...aggregate,
      ...(has("min", "max") && { extremes: { min: `min_${at}`, max: `max_${at}` } }),
      ...(has("interval") && { squares: `squares_${at}` }),
    };
  });
}

/** Lists the names of the aggregates' columns. */
export function toNames(aggregates: readonly Aggregate[]): string[] {
  return aggregates.flatMap(({ count, sum, extremes, squares }) => [
    count,
    sum,
    ...Object.values(extremes ?? {}),
    ...(squares === undefined ? [] : [squares]),
  ]);
}

/**
 * Builds the SQL that aggregates rows of the source. `widen` casts to a number with this many bits, if the engine's
 * sums could overflow.
 */
export function fromRows(aggregates: readonly Aggregate[], widen?: (sql: string, bits: number) => string): string[] {
  return aggregates.flatMap(({ column: { sql, type, storage }, ...names }) => {
    if (storage.kind === "double") {
      // Doubles are added as decimals, because floating-point sums depend on the order of rows.
      const exact = `${sql}::text::numeric`;
      const [sum, squares] =
        widen === undefined
          ? [`sum(${exact})`, `sum(${exact} * ${exact})`]
          : [`toString(sum(toDecimal256(toString(${sql}), 40)))`, `toString(sum(toDecimal256(${sql} * ${sql}, 30)))`];
      return named(names, { count: `count(${sql})`, sum, min: `min(${sql})`, max: `max(${sql})`, squares });
    }
    const sum = type === "boolean" ? `count(*) FILTER (WHERE ${sql})` : `sum(${widen?.(sql, 128) ?? sql})`;
    const factor = widen?.(sql, 256) ?? `(${sql})::numeric`;
    const squares = `sum(${factor} * ${factor})`;
    return named(names, { count: `count(${sql})`, sum, min: `min(${sql})`, max: `max(${sql})`, squares });
  });
}

/** Builds the SQL that reads aggregates from a rollup; `prefixes` maps source columns to its column prefixes. */
export function fromRollup(aggregates: readonly Aggregate[], prefixes: Readonly<Record<string, string>>): string[] {
  return aggregates.flatMap(({ column, ...names }) => {
    const prefix = `r.${prefixes[column.id]}`;
    return named(names, {
      count: `sum(${prefix}_rows)`,
      sum: `sum(${prefix}_${column.type === "boolean" ? "true" : "sum"})`,
      min: `min(${prefix}_min)`,
      max: `max(${prefix}_max)`,
      squares: `sum(${prefix}_squares)`,
    });
  });
}

/** Builds the SQL that adds up parts with these aggregates; `sign` is SQL for 1, or for -1 if a part is subtracted. */
export function fromParts(aggregates: readonly Aggregate[], sign: string): string[] {
  return aggregates.flatMap((names) => {
    const { count, sum, extremes, squares } = names;
    const [min, max] = [`min(${extremes?.min})`, `max(${extremes?.max})`];
    const add = (name?: string) => `sum(${sign} * ${name})`;
    return named(names, { count: add(count), sum: add(sum), min, max, squares: add(squares) });
  });
}

function named(
  { count, sum, extremes, squares }: Omit<Aggregate, "column">,
  sql: Record<"count" | "sum" | "min" | "max" | "squares", string>,
): string[] {
  return [
    `${sql.count} AS ${count}`,
    `${sql.sum} AS ${sum}`,
    ...(extremes === undefined ? [] : [`${sql.min} AS ${extremes.min}`, `${sql.max} AS ${extremes.max}`]),
    ...(squares === undefined ? [] : [`${sql.squares} AS ${squares}`]),
  ];
}

/** Builds the SQL that sorts groups by a measure. It is exact, because results are rounded afterwards. */
export function measureOrder(measure: Measure, aggregates: readonly Aggregate[]): string {
  const { type, column } = measure;
  if (isPercentile(type)) return percentileName(measure);
  const aggregate = aggregates.find((candidate) => candidate.column === column);
  if (aggregate === undefined) return "rows";
  const { count, sum, extremes } = aggregate;
  switch (type) {
    case "count":
      return "rows";
    case "sum":
      return `CASE WHEN ${count} > 0 THEN ${sum} END`;
    case "avg":
      // 40 decimal places distinguish any two means of so few rows.
      return `CASE WHEN ${count} > 0 THEN (${sum} + ${zero})::numeric / ${count} END`;
    case "min":
      return extremes?.min ?? `CASE WHEN ${count} > 0 THEN (${sum} = ${count})::int END`;
    case "max":
      return extremes?.max ?? `CASE WHEN ${count} > 0 THEN (${sum} > 0)::int END`;
    default:
      throw new Error(`groups are not ordered by ${type}`);
  }
}

const zero = `0.${"0".repeat(40)}`;
