import type { Value } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "@ems/kit/errors";
import { size } from "@ems/kit/json/issue-messages";
import type { Column, ColumnType, Source } from "../sources/index.ts";
import { type FilterValue, intervalsOf, type Moment, readValue } from "./filter-values.ts";
import { allTime, intersection } from "./intervals.ts";
import { columnTypes, lookUp, lookUpTypedColumn, type Path } from "./lookup.ts";
import type { Comparison, DateFilter, Filter } from "./plan.ts";

export interface FilterRequest {
  readonly type: string;
  readonly column: string;
  readonly operator: string;
  readonly value: readonly Value[];
}

const comparisons: readonly Comparison[] = ["eq", "neq", "gt", "gte", "lt", "lte", "between"];

export const operatorsOf: Readonly<Record<ColumnType, readonly Comparison[]>> = {
  string: ["eq", "neq"],
  boolean: ["eq", "neq"],
  number: comparisons,
  date: comparisons,
};

/** Filters on the same date column are merged. */
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
  const column = lookUpTypedColumn(source, request, path, faults);
  const type = column?.type ?? columnTypes.find((one) => one === request.type);
  const operators = type === undefined ? comparisons : operatorsOf[type];
  const operator = lookUp(operators, request.operator, [...path, "operator"], faults);
  checkCount(request.value, type, operator, [...path, "value"], faults);
  const values = request.value.map((value, at) => {
    return type === undefined ? undefined : readValue(type, value, column, [...path, "value", at], faults);
  });
  if (column === undefined || operator === undefined || faults.length > faultsBefore) return [];
  return filterOf(column, operator, values, zone);
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

/** The values have the column's type. */
function filterOf(
  column: Column,
  operator: Comparison,
  values: readonly (FilterValue | undefined)[],
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
      const moments = values.filter((value): value is Moment => typeof value === "object");
      return [{ kind: "date", column, intervals: intervalsOf(zone, operator, moments), matchesNull: isNegated }];
    }
  }
}
