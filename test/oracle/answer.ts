// Computes a report from all rows, one row at a time.

import { type Interval, meanInterval, rateInterval } from "./interval.ts";
import { datasources, type Filter, measureId, memberships, percentiles, type Query } from "./query.ts";
import { compareRationals, decimal, plus, type Rational, toNumber, whole } from "./rational.ts";
import type { Cell, ReferenceModel, Row } from "./reference-model.ts";
import type { ZoneView } from "./zones.ts";

type Json = string | number | boolean | null | { id: string; name: string | null } | Interval;
export type Result = Record<string, Json>;

/** Returns all results of the query in order. */
export function answer(model: ReferenceModel, query: Query, zone: ZoneView): Result[] {
  const selections = query.filters.filter((filter) => isSelection(query.datasource, filter));
  const isSelected = (runType: string) =>
    selections.every(({ value, operator }) => value.includes(runType) === (operator === "eq"));
  const filters = query.filters.filter((filter) => !selections.includes(filter));
  const rows = (selections.length === 0 ? model.rows[query.datasource] : model.selectTests(isSelected))
    .filter((row) => query.includeArchived !== false || row.isArchived !== true)
    .filter((row) => filters.every((filter) => hasMatch(query, row, filter, zone)));
  const isGrouped = query.groupBy.length > 0 || query.measurements.length > 0;
  const found = isGrouped ? group(rows, query, zone) : [...rows];
  found.sort(rowOrder(query, isGrouped));
  const types = datasources[query.datasource];
  const names = isGrouped
    ? [...query.groupBy.map(({ column }) => column), ...getMeasurements(query).map(measureId)]
    : Object.keys(types);
  return found.map((row) =>
    Object.fromEntries(names.map((name) => [name, formatted(name, types[name] === "date", row[name] ?? null, model)])),
  );
}

/** Returns true if the filter selects the tests of which a task's measures are. */
function isSelection(datasource: Query["datasource"], { column }: Filter): boolean {
  return datasource === "task" && column === "runType";
}

function getMeasurements({ measurements }: Query): Query["measurements"] {
  return measurements.length > 0 ? measurements : [{ type: "count" }];
}

function hasMatch({ datasource }: Query, row: Row, filter: Filter, zone: ZoneView): boolean {
  const cell = row[filter.column] ?? null;
  if (!memberships[datasource]?.includes(filter.column)) return matches(cell, filter, zone);
  const members = String(cell).split(" ");
  return filter.value.some((id) => members.includes(String(id))) === (filter.operator === "eq");
}

function matches(cell: Cell, { type, operator, value }: Filter, zone: ZoneView): boolean {
  if (cell === null) return operator === "neq";
  if (type === "string" || type === "boolean") return value.includes(cell as string) === (operator === "eq");
  const sides = value.map((each) => (type === "date" ? compareToDate(cell, each, zone) : compareToNumber(cell, each)));
  const [side = Number.NaN, second = Number.NaN] = sides;
  switch (operator) {
    case "eq":
      return side === 0;
    case "neq":
      return side !== 0;
    case "gt":
      return side > 0;
    case "gte":
      return side >= 0;
    case "lt":
      return side < 0;
    case "lte":
      return side <= 0;
    case "between":
      return side >= 0 && second <= 0;
  }
}

function compareToNumber(cell: Cell, value: unknown): number {
  return compareRationals(cell as Rational, decimal(Number(value)));
}

/** Compares a time with a calendar date, or with another time. */
function compareToDate(cell: Cell, value: unknown, zone: ZoneView): number {
  const [at, text] = [Number(cell), String(value)];
  if (text.length === 10) return zone.date(at) < text ? -1 : zone.date(at) > text ? 1 : 0;
  const [, start = "", fraction = "", offset = ""] = /^(.{19})(?:\.(\d+))?(Z|[+-].{5})$/.exec(text) ?? [];
  const micros = BigInt(Date.parse(start + offset)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
  const own = BigInt(at) * 1_000_000n;
  return own < micros ? -1 : own > micros ? 1 : 0;
}

function group(rows: readonly Row[], query: Query, zone: ZoneView): Row[] {
  const groups = new Map<string, { key: Record<string, Cell>; rows: Row[] }>();
  if (query.groupBy.length === 0) groups.set("", { key: {}, rows: [] });
  for (const row of rows) {
    const key = Object.fromEntries(
      query.groupBy.map(({ column, dateTrunc }) => {
        const cell = row[column] ?? null;
        const isCut = dateTrunc !== undefined && typeof cell === "number";
        return [column, isCut ? zone.bucket(dateTrunc, cell) : cell];
      }),
    );
    const name = JSON.stringify(Object.values(key), (_, value) => (typeof value === "bigint" ? `${value}n` : value));
    const group = groups.get(query.groupBy.length === 0 ? "" : name) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(query.groupBy.length === 0 ? "" : name, group);
  }
  return [...groups.values()].map(({ key, rows: own }) => ({
    ...key,
    ...Object.fromEntries(getMeasurements(query).map((each) => [measureId(each), aggregate(own, each)])),
  }));
}

function aggregate(
  rows: readonly Row[],
  { type, column = "" }: { type: string; column?: string },
): Rational | Interval | null {
  if (type === "count") return whole(rows.length);
  if (type === "interval") {
    const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
    const flags = cells.filter((cell) => typeof cell === "boolean");
    return flags.length > 0 ? rateInterval(flags) : meanInterval(cells.map(toRational));
  }
  const values = rows
    .map((row) => row[column] ?? null)
    .filter((cell) => cell !== null)
    .map(toRational);
  if (values.length === 0) return null;
  const sum = values.reduce(plus);
  const sorted = values.toSorted(compareRationals);
  if (percentiles.includes(type)) {
    // The nearest rank.
    return sorted[Math.ceil((Number(type.slice(1)) * sorted.length) / 100) - 1] ?? null;
  }
  if (type === "sum") return sum;
  if (type === "avg") return { top: sum.top, bottom: sum.bottom * BigInt(values.length) };
  return (type === "min" ? sorted[0] : sorted.at(-1)) ?? null;
}

function toRational(cell: Cell): Rational {
  return typeof cell === "boolean" ? whole(cell ? 1 : 0) : (cell as Rational);
}

function rowOrder(query: Query, isGrouped: boolean): (a: Row, b: Row) => number {
  const groups = query.groupBy.map(({ column }) => column);
  const created = groups.filter((name) => name === "createdAt");
  const last = query.orderBy.at(-1)?.direction ?? "desc";
  const rest = isGrouped
    ? [...created, ...groups].map((column) => ({ column, direction: "asc" }))
    : [...(query.orderBy.length === 0 ? ["createdAt"] : []), "id"].map((column) => ({ column, direction: last }));
  const terms = [...query.orderBy, ...rest];
  return (a, b) => {
    for (const { column, direction } of terms) {
      const [left = null, other = null] = [a[column], b[column]];
      if (left === null || other === null) {
        if (left === other) continue;
        return left === null ? 1 : -1;
      }
      const side = compareCells(left, other);
      if (side !== 0) return direction === "asc" ? side : -side;
    }
    return 0;
  };
}

function compareCells(a: Cell, b: Cell): number {
  if (typeof a === "string") return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  if (typeof a === "object") return compareRationals(a as Rational, b as Rational);
  return Number(a) - Number(b);
}

const references = ["topicId", "taskId", "definitionId"];

function formatted(name: string, isDate: boolean, cell: Cell, { names }: ReferenceModel): Json {
  if (typeof cell === "object") return cell === null || "low" in cell ? cell : toNumber(cell);
  if (isDate) return new Date(Number(cell)).toISOString();
  if (references.includes(name) && typeof cell === "string") return { id: cell, name: names.get(cell) ?? null };
  return cell;
}
