// What results are groups by, and what is measured of each, checked.

import type { Fault } from "@ems/kit/errors";
import { required } from "@ems/kit/json/issue-messages";
import type { Column, Source } from "../sources/source.ts";
import { dateTruncs } from "./dates.ts";
import type { Group, Measure, MeasureType } from "./plan.ts";
import { columnOf, knownColumn, type Path, wordOf } from "./words.ts";

export interface GroupRequest {
  readonly column: string;
  readonly type: string;
  readonly dateTrunc?: string | undefined;
}

export interface MeasurementRequest {
  readonly type: string;
  readonly column?: string | undefined;
}

export const measureTypes: readonly MeasureType[] = ["count", "avg", "sum", "min", "max"];

export function planGroups(requests: readonly GroupRequest[], source: Source | undefined, faults: Fault[]): Group[] {
  return requests.flatMap((request, index) => {
    const path = ["group_by", index];
    const column = columnOf(source, request, path, faults);
    const isTwice = requests.findIndex((other) => other.column === request.column) < index;
    if (isTwice && column !== undefined) {
      faults.push({ path: [...path, "column"], message: `${request.column} is grouped by already` });
    }
    return planGroup(request, column, [...path, "date_trunc"], faults);
  });
}

function planGroup(
  { type, dateTrunc }: GroupRequest,
  column: Column | undefined,
  path: Path,
  faults: Fault[],
): Group[] {
  const isDate = (column?.type ?? type) === "date";
  const trunc = dateTrunc === undefined ? undefined : wordOf(dateTruncs, dateTrunc, path, faults);
  if (isDate && dateTrunc === undefined) faults.push({ path, code: "invalid_type", message: required });
  if (!isDate && trunc !== undefined) faults.push({ path, message: "Only a date column has a dateTrunc" });
  if (column === undefined) return [];
  return [trunc === undefined ? { column } : { column, trunc }];
}

/** Whether a column can be measured other than by counting rows. */
export function isMeasurable({ type }: Column): boolean {
  return type === "number" || type === "boolean";
}

export function planMeasures(
  requests: readonly MeasurementRequest[],
  source: Source | undefined,
  faults: Fault[],
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

function planMeasure(request: MeasurementRequest, source: Source | undefined, at: Path, faults: Fault[]): Measure[] {
  const type = wordOf(measureTypes, request.type, [...at, "type"], faults);
  const path = [...at, "column"];
  if (type === "count") {
    if (request.column === undefined) return [{ id: measureId(type), type }];
    faults.push({ path, message: "count has no column: it counts rows" });
    return [];
  }
  if (request.column === undefined) {
    if (type !== undefined) faults.push({ path, code: "invalid_type", message: required });
    return [];
  }
  const column = source && knownColumn(source, request.column, path, faults);
  if (column === undefined || type === undefined) return [];
  if (isMeasurable(column)) return [{ id: measureId(type, column.id), type, column }];
  faults.push({ path, message: `${column.id} is a ${column.type}: only numbers and booleans are measured` });
  return [];
}

function measureId(type: string, column?: string): string {
  return column === undefined ? type : `${type}_${column}`;
}
