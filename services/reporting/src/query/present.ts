// Converts database rows to results, and suggests charts for them.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Column, ReferenceName } from "../sources/index.ts";
import { type Aggregate, listAggregates } from "./aggregates.ts";
import { isPercentile, percentileValue } from "./histogram.ts";
import { computeInterval } from "./interval.ts";
import { quotient } from "./numbers.ts";
import type { Grouping, Measure, Plan, Shape } from "./plan.ts";

/** A row of results, by the column names in its statement. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** Names of referenced resources, by id. */
export type ReferenceNames = ReadonlyMap<ReferenceName, ReadonlyMap<string, string>>;

export interface ResultColumn {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export function resultColumns({ source, isGrouped, groupings, measures }: Shape): ResultColumn[] {
  const columns = isGrouped ? groupings.map(({ column }) => column) : source.columns;
  return [...columns.map(({ id, name, type }) => ({ id, name, type })), ...measures.map(measureColumn)];
}

const measureNames = {
  avg: "Average",
  sum: "Sum of",
  min: "Minimum",
  max: "Maximum",
  p50: "Median",
  p90: "90th Percentile of",
  p95: "95th Percentile of",
  p99: "99th Percentile of",
  interval: "Interval of",
} as const;

export function measureColumn({ id, type, column }: Measure): ResultColumn {
  const name = type === "count" || column === undefined ? "Count" : `${measureNames[type]} ${column.name}`;
  return { id, name, type: type === "interval" ? "interval" : "number" };
}

/** Returns the columns of the results, with their names in the statement. */
function statementColumns({ source, isGrouped, groupings }: Shape): { key: string; column: Column }[] {
  if (isGrouped) return groupings.map(({ column }, at) => ({ key: `group_${at}`, column }));
  return source.columns.map((column, at) => ({ key: `column_${at}`, column }));
}

/** Returns the distinct ids in columns of references. */
export function referencedIds(shape: Shape, rows: readonly ResultRow[]): Map<ReferenceName, string[]> {
  const ids = new Map<ReferenceName, Set<string>>();
  for (const { key, column } of statementColumns(shape)) {
    const { reference } = column;
    if (reference === undefined) continue;
    const distinct = ids.get(reference) ?? new Set();
    for (const row of rows) if (row[key] !== null) distinct.add(String(row[key]));
    ids.set(reference, distinct);
  }
  return new Map(
    [...ids].filter(([, values]) => values.size > 0).map(([reference, values]) => [reference, [...values]]),
  );
}

export function present(plan: Plan, rows: readonly ResultRow[], names: ReferenceNames): JsonObject[] {
  const columns = statementColumns(plan);
  const aggregates = listAggregates(plan.measures);
  return rows.map((row) =>
    Object.fromEntries([
      ...columns.map(({ key, column }) => [column.id, columnValue(column, row[key], names)]),
      ...plan.measures.map((measure) => [measure.id, measureValue(measure, aggregates, row)]),
    ]),
  );
}

function columnValue(column: Column, value: unknown, names: ReferenceNames): JsonValue {
  if (value === null || value === undefined) return null;
  if (column.reference !== undefined) {
    const id = String(value);
    return { id, name: names.get(column.reference)?.get(id) ?? null };
  }
  switch (column.storage.kind) {
    case "uuid":
    case "text":
      return String(value);
    case "boolean":
      return value === true;
    case "double":
      return Number(value);
    case "scaled":
      return quotient(String(value), 1n, column.storage.scale);
    case "moment":
      if (value instanceof Date) return value.toISOString();
      throw new Error("a moment is a Date");
  }
}

function measureValue({ id, type, column }: Measure, aggregates: readonly Aggregate[], row: ResultRow): JsonValue {
  if (column === undefined) return Number(row.rows);
  if (isPercentile(type)) {
    const bucket = row[id];
    return bucket === null || bucket === undefined ? null : percentileValue(column, Number(bucket));
  }
  const aggregate = aggregates.find((candidate) => candidate.column === column);
  if (aggregate === undefined) throw new Error(`${column.id} has no aggregate`);
  const count = BigInt(String(row[aggregate.count] ?? 0));
  if (count === 0n) return null;
  const scale = column.storage.kind === "scaled" ? column.storage.scale : 0;
  const sum = String(row[aggregate.sum]);
  switch (type) {
    case "count":
      return Number(row.rows);
    case "sum":
      return quotient(sum, 1n, scale);
    case "avg":
      return quotient(sum, count, scale);
    case "min":
    case "max": {
      if (aggregate.extremes !== undefined) return quotient(String(row[aggregate.extremes[type]]), 1n, scale);
      const isTrue = type === "max" ? BigInt(sum) > 0n : BigInt(sum) === count;
      return isTrue ? 1 : 0;
    }
    default:
      return computeInterval(column, count, sum, String(row[aggregate.squares ?? ""]));
  }
}

// The number and kinds of a result's columns decide which charts suit it; only pie charts depend on values.

export type Chart = "table" | "number" | "bar" | "line" | "area" | "pie" | "heatmap";

export interface Visualization {
  /** Suitable charts, the best one first. */
  readonly compatibleCharts: readonly Chart[];
  readonly recommendedChart: Chart;
  readonly fieldMapping: { readonly measures: readonly string[]; readonly x?: string; readonly series?: string };
}

export interface ChartInput {
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
  /** Returns true if any value of the measure is negative. */
  readonly isAnyNegative: (measure: Measure) => boolean;
}

export function visualize(input: ChartInput): Visualization {
  const { groupings, measures } = input;
  const date = groupings.find(isDate);
  const x = date ?? groupings[0];
  const series = groupings.find((grouping) => grouping !== x);
  // No chart can display three dimensions.
  const isDrawn = groupings.length < 3;
  const compatibleCharts: Chart[] = [...listCharts(input), "table"];
  return {
    compatibleCharts,
    recommendedChart: compatibleCharts[0] ?? "table",
    fieldMapping: {
      measures: measures.map(({ id }) => id),
      ...(isDrawn && x !== undefined && { x: x.column.id }),
      ...(isDrawn && series !== undefined && { series: series.column.id }),
    },
  };
}

function listCharts({ groupings, measures, isAnyNegative }: ChartInput): Chart[] {
  const [first, ...more] = measures;
  const isOneMeasure = more.length === 0;
  const hasDate = groupings.some(isDate);
  // There is nothing to draw for rows, or for groups without a measure.
  if (first === undefined) return [];
  switch (groupings.length) {
    case 0:
      return isOneMeasure ? ["number"] : [];
    case 1: {
      if (hasDate) return ["line", "area", "bar"];
      const isPartition = isOneMeasure && (first.type === "count" || first.type === "sum");
      return isPartition && !isAnyNegative(first) ? ["bar", "pie"] : ["bar"];
    }
    case 2:
      if (hasDate) return ["line"];
      // A heatmap cell displays only one value.
      return isOneMeasure ? ["heatmap", "bar"] : ["bar"];
    default:
      return [];
  }
}

function isDate({ column }: Grouping): boolean {
  return column.type === "date";
}
