// Plans the filters of a query: checks operators and values, and converts dates to time intervals.

import type { Value } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "@ems/kit/errors";
import { withDoubles } from "@ems/kit/json/exact-number";
import { fromValue } from "@ems/kit/json/free-value";
import { expected, size } from "@ems/kit/json/issue-messages";
import { readTimestamp } from "@ems/kit/json/timestamp";
import {
  type Column,
  type ColumnType,
  listFilterColumns,
  type MembershipFilter,
  type Source,
} from "../sources/index.ts";
import { allTime, complement, daysWhere, type Intervals, intersection, readDay } from "./dates.ts";
import { columnTypes, lookUp, lookUpTypedColumn, type Path } from "./lookup.ts";
import type { Comparison, DateFilter, Filter } from "./plan.ts";

export interface FilterRequest {
  readonly type: string;
  readonly column: string;
  readonly operator: string;
  readonly value: readonly Value[];
}

const comparisons: readonly Comparison[] = ["eq", "neq", "gt", "gte", "lt", "lte", "between"];

export const operatorsByType: Readonly<Record<ColumnType, readonly Comparison[]>> = {
  string: ["eq", "neq"],
  boolean: ["eq", "neq"],
  number: comparisons,
  date: comparisons,
};

/** Plans the filters, and merges those on the same date column. */
export function planFilters(
  requests: readonly FilterRequest[],
  source: Source | undefined,
  zone: string | undefined,
  faults: FieldViolation[],
): Filter[] {
  const filters = requests.flatMap((request, index) => planFilter(request, source, zone, ["filters", index], faults));
  const dates = new Map<Column, DateFilter>();
  for (const filter of filters) {
    if (filter.kind !== "date") continue;
    const { intervals = allTime, matchesNull = true } = dates.get(filter.column) ?? {};
    dates.set(filter.column, {
      ...filter,
      intervals: intersection(intervals, filter.intervals),
      matchesNull: matchesNull && filter.matchesNull,
    });
  }
  return [...filters.filter(({ kind }) => kind !== "date"), ...dates.values()];
}

function planFilter(
  request: FilterRequest,
  source: Source | undefined,
  zone: string | undefined,
  path: Path,
  faults: FieldViolation[],
): Filter[] {
  const faultsBefore = faults.length;
  const column = lookUpTypedColumn<Column | MembershipFilter>(
    source && listFilterColumns(source),
    request,
    path,
    faults,
  );
  const type = column?.type ?? columnTypes.find((candidate) => candidate === request.type);
  const operators = type === undefined ? comparisons : operatorsByType[type];
  const operator = lookUp(operators, request.operator, [...path, "operator"], faults);
  checkCount(request.value, type, operator, [...path, "value"], faults);
  const values = request.value.map((value, at) => {
    return type === undefined ? undefined : readValue(type, value, column, [...path, "value", at], faults);
  });
  if (column === undefined || operator === undefined || faults.length > faultsBefore) return [];
  const at = Number(path.at(-1));
  return buildFilter(column, operator, values, zone).map((filter) => ({ ...filter, at }));
}

function checkCount(
  values: readonly Value[],
  type: ColumnType | undefined,
  operator: Comparison | undefined,
  path: Path,
  faults: FieldViolation[],
): void {
  const isList = operator === undefined || type === undefined || type === "string";
  const count = !isList && operator === "between" ? 2 : 1;
  if (isList ? values.length >= count : values.length === count) return;
  const code = values.length < count ? "too_small" : "too_big";
  faults.push({ path, code, message: size("Array", isList ? "at least" : "exactly", count) });
}

type WithoutPosition<One> = One extends unknown ? Omit<One, "at"> : never;

/** Builds a filter; its values have been checked to have the column's type. */
function buildFilter(
  column: Column | MembershipFilter,
  operator: Comparison,
  values: readonly (FilterValue | undefined)[],
  zone: string | undefined,
): WithoutPosition<Filter>[] {
  const isNegated = operator === "neq";
  switch (column.type) {
    case "string": {
      const texts = values.filter((value) => typeof value === "string");
      if ("membership" in column) return [{ kind: "member", column, isNegated, values: texts }];
      return [{ kind: "string", column, isNegated, values: texts }];
    }
    case "boolean":
      return [{ kind: "boolean", column, isNegated, value: values[0] === true }];
    case "number":
      return [{ kind: "number", column, operator, values: values.filter((value) => typeof value === "number") }];
    case "date": {
      if (zone === undefined) return [];
      const moments = values.filter((value): value is Moment => typeof value === "object");
      return [{ kind: "date", column, intervals: toIntervals(zone, operator, moments), matchesNull: isNegated }];
    }
  }
}

type FilterValue = string | number | boolean | Moment;

/** A calendar date as local midnight, or a time in milliseconds; `isBeyond` if it has a fraction of a millisecond. */
type Moment = { readonly day: number } | { readonly ms: number; readonly isBeyond: boolean };

/** Reads a value of the given type; adds an error and returns undefined if it has a different type. */
function readValue(
  type: ColumnType,
  value: Value,
  column: Column | undefined,
  path: Path,
  faults: FieldViolation[],
): FilterValue | undefined {
  const json = withDoubles(fromValue(value));
  const jsonType = type === "date" ? "string" : type;
  if (typeof json !== jsonType) {
    faults.push({ path, code: "invalid_type", message: expected(jsonType, json) });
    return undefined;
  }
  if (typeof json !== "string") return typeof json === "number" || typeof json === "boolean" ? json : undefined;
  const isUuid = column?.storage.kind === "uuid";
  const found = type === "date" ? readMoment(json) : !isUuid || uuid.test(json) ? json : undefined;
  if (found === undefined) {
    faults.push({ path, code: "invalid_string", message: type === "date" ? "Invalid date" : "Invalid UUID" });
  }
  return found;
}

/** The same rule as ems.rest.v1.id. */
const uuid =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

function readMoment(text: string): Moment | undefined {
  const day = readDay(text);
  if (day !== undefined) return { day };
  // A time without an offset is invalid, because it could be in the query's time zone or in UTC.
  const moment = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(text) ? readTimestamp(text) : undefined;
  if (moment === undefined) return undefined;
  const ms = Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1e6);
  return { ms, isBeyond: moment.nanos % 1e6 !== 0 };
}

/** Returns the times for which the comparison with the operands is true; a calendar date stands for its whole day. */
function toIntervals(zone: string, operator: Comparison, [first, second]: readonly Moment[]): Intervals {
  if (first === undefined) return [];
  const where = (moment: Moment, matches: (side: number) => boolean) =>
    "day" in moment ? daysWhere(zone, moment.day, matches) : momentsWhere(moment, matches);
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
      const lower = where(first, (side) => side >= 0);
      return second === undefined
        ? []
        : intersection(
            lower,
            where(second, (side) => side <= 0),
          );
    }
  }
}

/** Returns the times that match. Rows have whole milliseconds, so none equals a time with a fraction. */
function momentsWhere(
  { ms, isBeyond }: { readonly ms: number; readonly isBeyond: boolean },
  matches: (side: number) => boolean,
): Intervals {
  const [start, end] = isBeyond ? [ms + 1, ms + 1] : [ms, ms + 1];
  const [before, on, after] = [matches(-1), matches(0), matches(1)];
  const from = before ? Number.NEGATIVE_INFINITY : on ? start : end;
  const to = after ? Number.POSITIVE_INFINITY : on ? end : start;
  return from < to ? [{ from, to }] : [];
}
