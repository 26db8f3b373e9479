// Formats columns, filters and values of reports, with units.

import type { Schemas } from "../api/request.ts";
import { count, dollars, duration, localTime, missing, percent, words } from "../ui/format.ts";
import { dateFormat } from "../ui/locale.ts";
import { readInterval, readReference } from "./query.ts";
import { type Filter, type Group, type Measurement, measureId, type Operator } from "./report-search.ts";

export type SourceColumn = Schemas["DatasourceColumn"];
export type Row = Readonly<Record<string, unknown>>;

export const sourceNames = {
  test: "Tests",
  eval: "Evaluations",
  trace: "Traces",
  step: "Trace steps",
  session: "Sessions",
  human_annotation: "Human annotations",
  feedback: "End-user feedback",
  task: "Tasks",
  topic: "Topics",
  tag: "Tags",
} as const;

export const operatorWords: Readonly<Record<Operator, string>> = {
  eq: "is",
  neq: "is not",
  gt: "more than",
  gte: "at least",
  lt: "less than",
  lte: "at most",
  between: "between",
};
const dateWords: Partial<Record<Operator, string>> = { gt: "after", gte: "from", lt: "before", lte: "until" };

export const wordsOfOperator = (operator: Operator, type: string) =>
  (type === "date" ? dateWords[operator] : undefined) ?? operatorWords[operator];

export function filterWords(filter: Filter, name: string, getLabel: (value: string) => string = String): string {
  const values = filter.value.map((value) =>
    typeof value === "boolean" ? (value ? "yes" : "no") : getLabel(String(value)),
  );
  const verb = wordsOfOperator(filter.operator, filter.type);
  return `${name} ${verb} ${values.join(filter.operator === "between" ? " and " : " or ")}`;
}

const measureWords = {
  avg: "Average",
  sum: "Sum of",
  min: "Minimum",
  max: "Maximum",
  p50: "Median",
  p90: "P90",
  p95: "P95",
  p99: "P99",
  interval: "95 % interval of",
};

export const getColumnName = (columns: readonly SourceColumn[], id: string) =>
  columns.find((column) => column.id === id)?.name ?? id;

export const measureName = ({ type, column }: Measurement, columns: readonly SourceColumn[]) =>
  type === "count" || column == null ? "Count" : `${measureWords[type]} ${getColumnName(columns, column)}`;

export const groupName = ({ column, dateTrunc }: Group, columns: readonly SourceColumn[]) =>
  dateTrunc == null ? getColumnName(columns, column) : `${getColumnName(columns, column)} by ${dateTrunc}`;

type Unit = "count" | "rate" | "usd" | "ms" | "number";

/** Returns the unit of a column's values, or of a measurement of the column. */
export function getUnit(column: SourceColumn | undefined, measure?: Measurement["type"]): Unit {
  if (measure === "count" || (measure === "sum" && column?.type === "boolean")) return "count";
  if (column?.type === "boolean" || column?.id === "passRate") return "rate";
  if (column?.id === "cost" || column?.id === "uncertainCost") return "usd";
  return column?.id === "durationMs" ? "ms" : "number";
}

export const unitWords: Readonly<Record<Unit, string>> = {
  count: "count",
  rate: "share, 0 to 1",
  usd: "USD",
  ms: "ms",
  number: "",
};

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

export function numberWords(value: number | null, unit: Unit): string {
  if (value === null) return missing;
  if (unit === "rate") return percent(value);
  if (unit === "usd") return dollars(value);
  if (unit === "ms") return duration(value);
  return unit === "count" ? count(value) : numbers.format(value);
}

/** A column in the results of a report. */
export interface ResultColumn {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly unit: Unit;
  readonly column: SourceColumn | undefined;
  readonly trunc?: Group["dateTrunc"];
}

export function resultColumns(
  answered: Schemas["Report"]["columns"],
  { groupBy, measurements }: { groupBy?: Group[] | null; measurements?: Measurement[] | null },
  columns: readonly SourceColumn[],
): ResultColumn[] {
  return answered.map(({ id, name, type }) => {
    const measure = (measurements ?? []).find((entry) => measureId(entry) === id);
    const group = (groupBy ?? []).find((candidate) => candidate.column === id);
    const column = columns.find((entry) => entry.id === (measure === undefined ? id : measure.column));
    const unit = getUnit(column, measure?.type ?? (id === "count" && group === undefined ? "count" : undefined));
    return { id, name, type, unit, column, ...(group?.dateTrunc != null && { trunc: group.dateTrunc }) };
  });
}

const bucket: Readonly<Record<NonNullable<Group["dateTrunc"]>, Intl.DateTimeFormatOptions>> = {
  hour: { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium" },
  week: { dateStyle: "medium" },
  month: { month: "short", year: "numeric" },
  quarter: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

/** Formats a value for tables, charts and print. */
export function valueWords(row: Row, { id, type, unit, column, trunc }: ResultColumn, timeZone: string): string {
  const value = row[id];
  if (value === null || value === undefined) return missing;
  if (type === "interval") {
    const interval = readInterval(row, id);
    return interval === null ? missing : `${numberWords(interval.low, unit)} to ${numberWords(interval.high, unit)}`;
  }
  if (typeof value === "number") return numberWords(value, unit);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (type === "date" && typeof value === "string") {
    if (trunc == null) return localTime(value);
    return dateFormat({ ...bucket[trunc], timeZone }).format(new Date(value));
  }
  if (typeof value === "object") return readReference(row, id)?.name ?? missing;
  return (column?.values.length ?? 0) > 0 ? words(String(value)) : String(value);
}
