// Filters, checked: the column is the source's, the operator fits its type, and every value can be compared with it.

import { toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Fault } from "@ems/kit/errors";
import { expected, size } from "@ems/kit/json/issue-messages";
import { readTimestamp } from "@ems/kit/json/timestamp";
import type { Column, ColumnType, Source } from "../sources/source.ts";
import { daysWhere, readDay } from "./dates.ts";
import { always, complement, intersection, type Ranges } from "./ranges.ts";
import { columnOf, columnTypes, type Path, wordOf } from "./words.ts";

export interface FilterRequest {
  readonly type: string;
  readonly column: string;
  readonly operator: string;
  readonly value: readonly Value[];
}

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";

/** Rows without a value pass `neq` and nothing else. */
export type Filter =
  | {
      readonly kind: "string";
      readonly column: Column;
      readonly isNegated: boolean;
      readonly values: readonly string[];
    }
  | { readonly kind: "boolean"; readonly column: Column; readonly isNegated: boolean; readonly value: boolean }
  | {
      readonly kind: "number";
      readonly column: Column;
      readonly operator: Comparison;
      readonly values: readonly number[];
    }
  | { readonly kind: "date"; readonly column: Column; readonly ranges: Ranges; readonly passesNull: boolean };

const ordered: readonly Comparison[] = ["eq", "neq", "gt", "gte", "lt", "lte", "between"];

export const operatorsOf: Readonly<Record<ColumnType, readonly Comparison[]>> = {
  string: ["eq", "neq"],
  boolean: ["eq", "neq"],
  number: ordered,
  date: ordered,
};

/** Filters on the same date column become one. */
export function planFilters(
  requests: readonly FilterRequest[],
  source: Source | undefined,
  zone: string | undefined,
  faults: Fault[],
): Filter[] {
  const filters = requests.flatMap((request, index) => planFilter(request, source, zone, ["filters", index], faults));
  const dates = new Map<Column, Extract<Filter, { kind: "date" }>>();
  for (const filter of filters) {
    if (filter.kind !== "date") continue;
    const { ranges = always, passesNull = true } = dates.get(filter.column) ?? {};
    const both = { ranges: intersection(ranges, filter.ranges), passesNull: passesNull && filter.passesNull };
    dates.set(filter.column, { ...filter, ...both });
  }
  return [...filters.filter(({ kind }) => kind !== "date"), ...dates.values()];
}

function planFilter(
  request: FilterRequest,
  source: Source | undefined,
  zone: string | undefined,
  path: Path,
  faults: Fault[],
): Filter[] {
  const before = faults.length;
  const column = columnOf(source, request, path, faults);
  const type = column?.type ?? columnTypes.find((known) => known === request.type);
  const operators = type === undefined ? ordered : operatorsOf[type];
  const operator = wordOf(operators, request.operator, [...path, "operator"], faults);
  countValues(request.value, type, operator, [...path, "value"], faults);
  const values = request.value.map((value, at) => {
    return type === undefined ? undefined : read(type, value, column, [...path, "value", at], faults);
  });
  if (column === undefined || operator === undefined || faults.length > before) return [];
  return made(column, operator, values, zone);
}

function countValues(
  values: readonly Value[],
  type: ColumnType | undefined,
  operator: Comparison | undefined,
  path: Path,
  faults: Fault[],
): void {
  const told = (count: number, how: "at least" | "exactly") => {
    const code = values.length < count ? "too_small" : "too_big";
    faults.push({ path, code, message: size("Array", how, count) });
  };
  if (operator === undefined || type === undefined || type === "string") {
    if (values.length === 0) told(1, "at least");
    return;
  }
  const count = operator === "between" ? 2 : 1;
  if (values.length !== count) told(count, "exactly");
}

/** A value as the filters of its type keep it. */
type Read = string | number | boolean | Moment;

/** A calendar date by its local midnight, or a moment: its millisecond, and whether it lies beyond its start. */
type Moment = { readonly day: number } | { readonly ms: number; readonly isBeyond: boolean };

function read(
  type: ColumnType,
  value: Value,
  column: Column | undefined,
  path: Path,
  faults: Fault[],
): Read | undefined {
  const json = toJson(ValueSchema, value);
  const what = type === "date" ? "string" : type;
  if (typeof json !== what) {
    faults.push({ path, code: "invalid_type", message: expected(what, json) });
    return undefined;
  }
  if (typeof json !== "string") return typeof json === "number" || typeof json === "boolean" ? json : undefined;
  const good =
    type === "date" ? readMoment(json) : column?.storage.kind !== "uuid" || uuid.test(json) ? json : undefined;
  if (good === undefined) {
    faults.push({ path, code: "invalid_string", message: type === "date" ? "Invalid date" : "Invalid UUID" });
  }
  return good;
}

/** As (ems.rest.v1.id) has it. */
const uuid =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

function readMoment(text: string): Moment | undefined {
  const day = readDay(text);
  if (day !== undefined) return { day };
  const moment = readTimestamp(text);
  if (moment === undefined) return undefined;
  const ms = Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1e6);
  return { ms, isBeyond: moment.nanos % 1e6 !== 0 };
}

/** The values have been read as what the column's type wants. */
function made(
  column: Column,
  operator: Comparison,
  values: readonly (Read | undefined)[],
  zone: string | undefined,
): Filter[] {
  const isNegated = operator === "neq";
  switch (column.type) {
    case "string":
      return [{ kind: "string", column, isNegated, values: values.filter((value) => typeof value === "string") }];
    case "boolean":
      return [{ kind: "boolean", column, isNegated, value: values[0] === true }];
    case "number":
      return [{ kind: "number", column, operator, values: values.filter((value) => typeof value === "number") }];
    case "date": {
      if (zone === undefined) return [];
      const moments = values.filter((value) => typeof value === "object");
      return [{ kind: "date", column, ranges: rangesOf(zone, operator, moments), passesNull: isNegated }];
    }
  }
}

function rangesOf(zone: string, operator: Comparison, [first, second]: readonly Moment[]): Ranges {
  if (first === undefined) return [];
  const where = (moment: Moment, passes: (side: number) => boolean) =>
    "day" in moment ? daysWhere(zone, moment.day, passes) : momentsWhere(moment, passes);
  switch (operator) {
    case "eq":
      return where(first, (side) => side === 0);
    case "neq":
      return complement(where(first, (side) => side === 0));
    case "gt":
      return where(first, (side) => side > 0);
    case "gte":
      return where(first, (side) => side >= 0);
    case "lt":
      return where(first, (side) => side < 0);
    case "lte":
      return where(first, (side) => side <= 0);
    case "between": {
      const until = second === undefined ? [] : where(second, (side) => side <= 0);
      return intersection(
        where(first, (side) => side >= 0),
        until,
      );
    }
  }
}

/** Rows have whole milliseconds: a moment between two of them is no row's. */
function momentsWhere({ ms, isBeyond }: { ms: number; isBeyond: boolean }, passes: (side: number) => boolean): Ranges {
  const [start, end] = isBeyond ? [ms + 1, ms + 1] : [ms, ms + 1];
  const [before, on, after] = [passes(-1), passes(0), passes(1)];
  const from = before ? Number.NEGATIVE_INFINITY : on ? start : end;
  const to = after ? Number.POSITIVE_INFINITY : on ? end : start;
  return from < to ? [{ from, to }] : [];
}
