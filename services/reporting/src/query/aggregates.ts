// The aggregates that measures are computed from. Whole numbers: exact in any order of rows, and additive over parts.

import type { Column } from "../sources/index.ts";
import type { Measure } from "./plan.ts";

/** The columns of a statement that describe a measured column, numbered by its position among them. */
export interface Aggregate {
  readonly column: Column;
  /** How many values are not null. */
  readonly count: string;
  /** Of booleans the number of true ones. */
  readonly sum: string;
  /** Only where a measure needs them; those of booleans follow from count and sum. */
  readonly extremes?: { readonly min: string; readonly max: string };
  /** The sum of squares, likewise. */
  readonly squares?: string;
}

export function aggregatesOf(measures: readonly Measure[]): Aggregate[] {
  const columns = new Set(measures.flatMap(({ column }) => (column === undefined ? [] : [column])));
  return [...columns].map((column, at) => {
    const has = (...types: Measure["type"][]) =>
      measures.some((one) => one.column === column && types.includes(one.type));
    const aggregate = { column, count: `count_${at}`, sum: `sum_${at}` };
    if (column.type === "boolean") return aggregate;
    return {
      ...aggregate,
      ...(has("min", "max") && { extremes: { min: `min_${at}`, max: `max_${at}` } }),
      ...(has("interval") && { squares: `squares_${at}` }),
    };
  });
}

/** The names of the aggregates' columns. */
export function namesOf(aggregates: readonly Aggregate[]): string[] {
  return aggregates.flatMap(({ count, sum, extremes, squares }) => [
    count,
    sum,
    ...Object.values(extremes ?? {}),
    ...(squares === undefined ? [] : [squares]),
  ]);
}

/** Over rows of the source. `widen` makes numbers of so many bits that sums fit, where an engine does not do it. */
export function fromRows(aggregates: readonly Aggregate[], widen?: (sql: string, bits: number) => string): string[] {
  return aggregates.flatMap(({ column: { sql, type, storage }, ...names }) => {
    // A double is summed as its decimal: floating-point sums depend on the order of rows.
    const exact = storage.kind === "double" ? `${sql}::text::numeric` : sql;
    const sum = type === "boolean" ? `count(*) FILTER (WHERE ${sql})` : `sum(${widen?.(sql, 128) ?? exact})`;
    const factor = widen?.(sql, 256) ?? `(${exact})::numeric`;
    const squares = `sum(${factor} * ${factor})`;
    return named(names, { count: `count(${sql})`, sum, min: `min(${sql})`, max: `max(${sql})`, squares });
  });
}

/** Over a rollup; `prefixes` are its columns' by source column. */
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

/** Over parts with these aggregates; `sign` is SQL for 1, or -1 of a part to subtract. */
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

/** SQL that orders groups by a measure: exact, since results are rounded only after. */
export function measureOrder({ type, column }: Measure, aggregates: readonly Aggregate[]): string {
  const aggregate = aggregates.find((one) => one.column === column);
  if (aggregate === undefined) return "rows";
  const { count, sum, extremes } = aggregate;
  switch (type) {
    case "count":
      return "rows";
    case "sum":
      return `CASE WHEN ${count} > 0 THEN ${sum} END`;
    case "avg":
      // Forty decimals distinguish any two means of as many rows.
      return `CASE WHEN ${count} > 0 THEN (${sum} + ${zero})::numeric / ${count} END`;
    case "min":
      return extremes?.min ?? `CASE WHEN ${count} > 0 THEN (${sum} = ${count})::int END`;
    case "max":
      return extremes?.max ?? `CASE WHEN ${count} > 0 THEN (${sum} > 0)::int END`;
    case "interval":
      throw new Error("groups are not ordered by intervals");
  }
}

const zero = `0.${"0".repeat(40)}`;
