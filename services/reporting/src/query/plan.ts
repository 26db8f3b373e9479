// A query, checked whole and with every default filled in. Names in it are columns that the source has: what a client
// wrote goes no further than here. It says nothing of how the answer is found; that is the store's business.

import type { Fault } from "@ems/kit/errors";
import { invalidEnumValue } from "@ems/kit/json/issue-messages";
import { findSource, sources } from "../sources/index.ts";
import type { Column, Source } from "../sources/source.ts";
import { type DateTrunc, isZone } from "./dates.ts";
import { type Filter, type FilterRequest, planFilters } from "./plan-filters.ts";
import { type GroupRequest, type MeasurementRequest, planGroups, planMeasures } from "./plan-groups.ts";
import { type Order, type OrderRequest, planOrder } from "./plan-order.ts";

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

export interface Group {
  readonly column: Column;
  /** What a date is cut to. */
  readonly trunc?: DateTrunc;
}

export type MeasureType = "count" | "avg" | "sum" | "min" | "max";

export interface Measure {
  /** What results call it: `count`, `avg_score`. */
  readonly id: string;
  readonly type: MeasureType;
  /** What is measured; a count has none. */
  readonly column?: Column;
}

/** What the results are of. */
export interface Shape {
  readonly source: Source;
  /** Whether results are groups: without a column to group by, all rows are one. */
  readonly isGrouped: boolean;
  readonly groups: readonly Group[];
  readonly measures: readonly Measure[];
}

export interface Plan extends Shape {
  readonly zone: string;
  readonly includeArchived: boolean;
  /** Joined by AND; at most one a date column. */
  readonly filters: readonly Filter[];
  /** Decides the place of every result: no two are equal in it. */
  readonly order: readonly Order[];
  readonly skip: number;
  readonly limit: number;
}

/** Results of a page when the query does not say. */
const limitDefault = 25;

/** What checking came to: a plan, or everything that is wrong with the query. */
export type Planned<T> =
  | { readonly plan: T; readonly faults?: never }
  | { readonly plan?: never; readonly faults: readonly Fault[] };

export function planQuery(request: QueryRequest): Planned<Plan> {
  const faults: Fault[] = [];
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
  const plan = {
    ...shape,
    zone,
    includeArchived: request.includeArchived ?? true,
    filters,
    order,
    skip: Number(request.skip ?? 0n),
    limit: request.limit ?? limitDefault,
  };
  return { plan };
}

/** The part of a plan that says which columns the results have. Without a source, only what it would say of itself. */
export function planShape(
  { groupBy, measurements }: Pick<QueryRequest, "groupBy" | "measurements">,
  source: Source | undefined,
  faults: Fault[],
): Shape | undefined {
  const groups = planGroups(groupBy, source, faults);
  const measures = planMeasures(measurements, source, faults);
  if (source === undefined) return undefined;
  const isGrouped = groupBy.length > 0 || measurements.length > 0;
  const isCountDefault = isGrouped && measurements.length === 0;
  return { source, isGrouped, groups, measures: isCountDefault ? [{ id: "count", type: "count" }] : measures };
}

function unknownSource(received: string): Fault {
  const names = sources.map(({ id }) => id);
  return { path: ["datasource"], code: "invalid_enum_value", message: invalidEnumValue(names, received) };
}
