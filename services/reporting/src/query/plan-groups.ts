import type { FieldViolation } from "@ems/kit/errors";
import { required } from "@ems/kit/json/issue-messages";
import type { Column, Source } from "../sources/index.ts";
import { dateTruncs } from "./dates.ts";
import { lookUp, lookUpColumn, lookUpTypedColumn, type Path } from "./lookup.ts";
import { type Grouping, type Measure, measureTypes } from "./plan.ts";

export interface GroupRequest {
  readonly column: string;
  readonly type: string;
  readonly dateTrunc?: string | undefined;
}

export interface MeasurementRequest {
  readonly type: string;
  readonly column?: string | undefined;
}

export function planGroupings(
  requests: readonly GroupRequest[],
  source: Source | undefined,
  faults: FieldViolation[],
): Grouping[] {
  return requests.flatMap((request, index) => {
    const path = ["group_by", index];
    const column = lookUpTypedColumn(source, request, path, faults);
    const isDuplicate = requests.findIndex((other) => other.column === request.column) < index;
    if (isDuplicate && column !== undefined) {
      faults.push({ path: [...path, "column"], message: `${request.column} is grouped by already` });
    }
    return planGrouping(request, column, [...path, "date_trunc"], faults);
  });
}

function planGrouping(
  { type, dateTrunc }: GroupRequest,
  column: Column | undefined,
  path: Path,
  faults: FieldViolation[],
): Grouping[] {
  const isDate = (column?.type ?? type) === "date";
  const trunc = dateTrunc === undefined ? undefined : lookUp(dateTruncs, dateTrunc, path, faults);
  if (isDate && dateTrunc === undefined) faults.push({ path, code: "invalid_type", message: required });
  if (!isDate && trunc !== undefined) faults.push({ path, message: "Only a date column has a dateTrunc" });
  if (column === undefined) return [];
  return [trunc === undefined ? { column } : { column, trunc }];
}

/** Whether the column has aggregates other than a count. */
export function isMeasurable({ type }: Column): boolean {
  return type === "number" || type === "boolean";
}

export function planMeasures(
  requests: readonly MeasurementRequest[],
  source: Source | undefined,
  faults: FieldViolation[],
): Measure[] {
  const ids = requests.map(({ type, column }) => measureId(type, column));
  return requests.flatMap((request, index) => {
    const path = ["measurements", index];
    const measures = planMeasure(request, source, path, faults);
    const [measure] = measures;
    if (measure !== undefined && ids.indexOf(measure.id) < index) {
      faults.push({ path, message: `${measure.id} is measured already` });
    }
    return measures;
  });
}

function planMeasure(
  request: MeasurementRequest,
  source: Source | undefined,
  path: Path,
  faults: FieldViolation[],
): Measure[] {
  const type = lookUp(measureTypes, request.type, [...path, "type"], faults);
  const columnPath = [...path, "column"];
  if (type === "count") {
    if (request.column === undefined) return [{ id: measureId(type), type }];
    faults.push({ path: columnPath, message: "count has no column: it counts rows" });
    return [];
  }
  if (request.column === undefined) {
    if (type !== undefined) faults.push({ path: columnPath, code: "invalid_type", message: required });
    return [];
  }
  const column = source && lookUpColumn(source, request.column, columnPath, faults);
  if (column === undefined || type === undefined) return [];
  if (isMeasurable(column)) return [{ id: measureId(type, column.id), type, column }];
  faults.push({
    path: columnPath,
    message: `${column.id} is a ${column.type}: only numbers and booleans are measured`,
  });
  return [];
}

function measureId(type: string, column?: string): string {
  return column === undefined ? type : `${type}_${column}`;
}
