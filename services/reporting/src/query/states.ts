// What has to be counted and summed so that measures can be told from it. Whole numbers only: they are the same in
// whatever order rows come, and can be added up from parts.

import type { Column } from "../sources/source.ts";
import type { Measure } from "./plan.ts";

/** What is known of a measured column in a group: the columns of a statement, by position of the column in `measured`. */
export interface State {
  readonly column: Column;
  /** Values that are not null, and their sum. Of booleans the true ones. */
  readonly count: string;
  readonly sum: string;
  /** The least and the greatest, where a measure wants them; of booleans they follow from count and sum. */
  readonly extremes?: { readonly min: string; readonly max: string };
}

export function statesOf(measures: readonly Measure[]): State[] {
  const columns = new Set(measures.flatMap(({ column }) => (column === undefined ? [] : [column])));
  return [...columns].map((column, at) => {
    const wanted = measures.some((one) => one.column === column && (one.type === "min" || one.type === "max"));
    const state = { column, count: `n${at}`, sum: `s${at}` };
    return wanted && column.type !== "boolean" ? { ...state, extremes: { min: `lo${at}`, max: `hi${at}` } } : state;
  });
}

/** The states as aggregates over rows. */
export function fromRows(states: readonly State[]): string[] {
  return states.flatMap(({ column: { sql, type, storage }, count, sum, extremes }) => {
    // As the decimal that it is written as, since floating-point sums depend on their order.
    const exact = storage.kind === "double" ? `${sql}::text::numeric` : sql;
    const total = type === "boolean" ? `count(*) FILTER (WHERE ${sql})` : `sum(${exact})`;
    return [
      `count(${sql}) AS ${count}`,
      `${total} AS ${sum}`,
      ...(extremes === undefined ? [] : [`min(${sql}) AS ${extremes.min}`, `max(${sql}) AS ${extremes.max}`]),
    ];
  });
}

/** The states as aggregates over a rollup, of which `sums` has the prefix of each column's sums. */
export function fromSums(states: readonly State[], sums: Readonly<Record<string, string>>): string[] {
  return states.flatMap(({ column, count, sum, extremes }) => {
    const prefix = `r.${sums[column.id]}`;
    return [
      `sum(${prefix}_rows) AS ${count}`,
      `sum(${prefix}_${column.type === "boolean" ? "true" : "sum"}) AS ${sum}`,
      ...(extremes === undefined
        ? []
        : [`min(${prefix}_min) AS ${extremes.min}`, `max(${prefix}_max) AS ${extremes.max}`]),
    ];
  });
}

/** The names of the states' columns. */
export function namesOf(states: readonly State[]): string[] {
  return states.flatMap(({ count, sum, extremes }) => [count, sum, ...(extremes ? [extremes.min, extremes.max] : [])]);
}

/** The states as aggregates over parts that have them; `sign` is SQL for 1 or, of a part to be taken away, -1. */
export function fromParts(states: readonly State[], sign: string): string[] {
  return states.flatMap(({ count, sum, extremes }) => [
    `sum(${sign} * ${count}) AS ${count}`,
    `sum(${sign} * ${sum}) AS ${sum}`,
    ...(extremes === undefined
      ? []
      : [`min(${extremes.min}) AS ${extremes.min}`, `max(${extremes.max}) AS ${extremes.max}`]),
  ]);
}

/** SQL that orders groups by a measure: exact, as what is shown is rounded only after. */
export function measureOrder({ type, column }: Measure, states: readonly State[]): string {
  const state = states.find((one) => one.column === column);
  if (state === undefined) return "rows";
  const { count, sum, extremes } = state;
  switch (type) {
    case "count":
      return "rows";
    case "sum":
      return `CASE WHEN ${count} > 0 THEN ${sum} END`;
    case "avg":
      // Forty decimals: enough to tell any two means of as many rows apart.
      return `CASE WHEN ${count} > 0 THEN (${sum} + ${zero})::numeric / ${count} END`;
    case "min":
      return extremes?.min ?? `CASE WHEN ${count} > 0 THEN (${sum} = ${count})::int END`;
    case "max":
      return extremes?.max ?? `CASE WHEN ${count} > 0 THEN (${sum} > 0)::int END`;
  }
}

const zero = `0.${"0".repeat(40)}`;
