// Validates a query; returns a plan, or all errors with their paths.

import type { FieldViolation } from "@ems/kit/errors";
import { invalidEnumValue, required } from "@ems/kit/json/issue-messages";
import { type Column, findColumn, findSource, type Source, sources } from "../sources/index.ts";
import { dateTruncs, isZone } from "./dates.ts";
import { isPercentile } from "./histogram.ts";
import { lookUp, lookUpColumn, lookUpTypedColumn, type Path } from "./lookup.ts";
import {
  type Filter,
  type Grouping,
  type Measure,
  type MeasureType,
  measureTypes,
  type Order,
  type Plan,
  type Shape,
  type Term,
} from "./plan.ts";
import { type FilterRequest, planFilters } from "./plan-filters.ts";

export interface QueryRequest {
  readonly datasource: string;
  readonly timezone: string;
  readonly skip?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly filters: readonly FilterRequest[];
  readonly groupBy: readonly GroupRequest[];
  readonly measurements: readonly MeasurementRequest[];
  readonly orderBy: readonly OrderRequest[];
  readonly includeArchived?: boolean | undefined;
}

const limitDefault = 25;

export type PlanResult =
  | { readonly plan: Plan; readonly faults?: never }
  | { readonly plan?: never; readonly faults: readonly FieldViolation[] };

export function planQuery(request: QueryRequest): PlanResult {
  const faults: FieldViolation[] = [];
  const source = findSource(request.datasource);
  if (source === undefined) faults.push(unknownSource(request.datasource));
  const zone = isZone(request.timezone) ? request.timezone : undefined;
  if (zone === undefined) {
    faults.push({ path: ["timezone"], code: "invalid_string", message: "Unknown IANA time zone" });
  }
  const filters = planFilters(request.filters, source, zone, faults);
  const shape = planShape(request, source, faults);
  const order = planOrder(request.orderBy, shape, faults);
  if (zone === undefined || shape === undefined || faults.length > 0) return { faults };
  const { includeArchived = true, skip = 0n, limit = limitDefault } = request;
  const selected = selectResults(shape.source, filters);
  return { plan: { ...shape, ...selected, zone, includeArchived, order, skip: Number(skip), limit } };
}

/** Moves filters of results to the source. */
function selectResults(source: Source, filters: readonly Filter[]): Pick<Plan, "source" | "filters"> {
  const { results } = source;
  const selections = filters.filter((filter) => filter.column === results && filter.kind === "string");
  if (results === undefined || selections.length === 0) return { source, filters };
  const values = results.values.filter((value) =>
    selections.every((filter) => filter.kind === "string" && filter.values.includes(value) !== filter.isNegated),
  );
  return {
    source: { ...source, from: results.select(values) },
    filters: filters.filter(({ column }) => column !== results),
  };
}

/** Plans the columns of the results. Without a source, finds only the errors that do not depend on it. */
export function planShape(
  { groupBy, measurements }: Pick<QueryRequest, "groupBy" | "measurements">,
  source: Source | undefined,
  faults: FieldViolation[],
): Shape | undefined {
  const groupings = planGroupings(groupBy, source, faults);
  const measures = planMeasures(measurements, source, faults);
  if (source === undefined) return undefined;
  const isGrouped = groupBy.length > 0 || measurements.length > 0;
  const isCountDefault = isGrouped && measurements.length === 0;
  return { source, isGrouped, groupings, measures: isCountDefault ? [{ id: "count", type: "count" }] : measures };
}

function unknownSource(received: string): FieldViolation {
  const names = sources.map(({ id }) => id);
  return { path: ["datasource"], code: "invalid_enum_value", message: invalidEnumValue(names, received) };
}

interface GroupRequest {
  readonly column: string;
  readonly type: string;
  readonly dateTrunc?: string | undefined;
}

interface MeasurementRequest {
  readonly type: string;
  readonly column?: string | undefined;
}

function planGroupings(
  requests: readonly GroupRequest[],
  source: Source | undefined,
  faults: FieldViolation[],
): Grouping[] {
  return requests.flatMap((request, index) => {
    const path = ["group_by", index];
    const column = lookUpTypedColumn(source?.columns, request, path, faults);
    const isDuplicate = requests.findIndex((other) => other.column === request.column) < index;
    if (isDuplicate && column !== undefined) {
      faults.push({ path: [...path, "column"], message: `${request.column} is already in groupBy` });
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

/** Returns true if the column has aggregates other than a count. */
export function isMeasurable({ type }: Column): boolean {
  return type === "number" || type === "boolean";
}

/** Returns the types of measurements that a column has; only numbers have percentiles. */
export function listMeasureTypes(column: Column): MeasureType[] {
  if (!isMeasurable(column)) return [];
  return measureTypes.filter((type) => type !== "count" && (column.type === "number" || !isPercentile(type)));
}

function planMeasures(
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
      faults.push({ path, message: `${measure.id} is already in measurements` });
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
    faults.push({ path: columnPath, message: "count takes no column: it counts rows" });
    return [];
  }
  if (request.column === undefined) {
    if (type !== undefined) faults.push({ path: columnPath, code: "invalid_type", message: required });
    return [];
  }
  const column = source && lookUpColumn(source.columns, request.column, columnPath, faults);
  if (column === undefined || type === undefined) return [];
  if (isMeasurable(column)) {
    if (listMeasureTypes(column).includes(type)) return [{ id: measureId(type, column.id), type, column }];
    faults.push({ path: columnPath, message: `${column.id} is a ${column.type}: only numbers have percentiles` });
    return [];
  }
  faults.push({
    path: columnPath,
    message: `${column.id} is a ${column.type}: only numbers and booleans can be measured`,
  });
  return [];
}

function measureId(type: string, column?: string): string {
  return column === undefined ? type : `${type}_${column}`;
}

interface OrderRequest {
  readonly column: string;
  readonly direction: string;
}

/** Plans the requested order, and adds tie-breakers that make it total. */
function planOrder(requests: readonly OrderRequest[], shape: Shape | undefined, faults: FieldViolation[]): Order[] {
  const requested = requests.flatMap((request, index) => {
    const path = ["order_by", index];
    const direction = lookUp(["asc", "desc"], request.direction, [...path, "direction"], faults);
    if (shape === undefined) return [];
    const terms = listTerms(shape);
    const id = lookUp([...terms.keys()], request.column, [...path, "column"], faults);
    if (id !== undefined && requests.findIndex(({ column }) => column === id) < index) {
      faults.push({ path: [...path, "column"], message: `${id} is already in orderBy` });
    }
    const term = id === undefined ? undefined : terms.get(id);
    return term === undefined ? [] : [{ ...term, isDescending: direction === "desc" }];
  });
  return shape === undefined ? requested : [...requested, ...tieBreakers(shape, requested)];
}

/** Returns the terms by which results can be sorted, by their column in the results. */
export function listTerms({ isGrouped, source, groupings, measures }: Shape): Map<string, Term> {
  if (!isGrouped) return new Map(source.columns.map((column) => [column.id, { column }]));
  return new Map<string, Term>([
    ...groupings.map((grouping): [string, Term] => [grouping.column.id, { grouping }]),
    ...measures.filter(isOrdered).map((measure): [string, Term] => [measure.id, { measure }]),
  ]);
}

/** Returns true if results can be sorted by the measure; an interval is not a single number. */
export function isOrdered({ type }: Pick<Measure, "type">): boolean {
  return type !== "interval";
}

function tieBreakers({ isGrouped, source, groupings }: Shape, requested: readonly Order[]): Order[] {
  if (isGrouped) {
    const isOpen = (grouping: Grouping) =>
      !requested.some((order) => "grouping" in order && order.grouping === grouping);
    const createdFirst = groupings.toSorted((a, b) => Number(isCreated(b)) - Number(isCreated(a)));
    return createdFirst.filter(isOpen).map((grouping) => ({ grouping, isDescending: false }));
  }
  const own = ["id", ...(source.key ?? [])];
  const ids = requested.length === 0 ? ["createdAt", ...own] : own;
  const isDescending = requested.at(-1)?.isDescending ?? true;
  return ids.flatMap((id) => {
    const column = findColumn(source, id);
    const isRequested = requested.some((order) => "column" in order && order.column === column);
    return column === undefined || isRequested ? [] : [{ column, isDescending }];
  });
}

function isCreated({ column }: Grouping): boolean {
  return column.id === "createdAt";
}
