// Validates a query and answers a plan, or every fault with its path.

import type { FieldViolation } from "@ems/kit/errors";
import { invalidEnumValue } from "@ems/kit/json/issue-messages";
import { findSource, type Source, sources } from "../sources/index.ts";
import { isZone } from "./dates.ts";
import type { Plan, Shape } from "./plan.ts";
import { type FilterRequest, planFilters } from "./plan-filters.ts";
import { type GroupRequest, type MeasurementRequest, planGroupings, planMeasures } from "./plan-groups.ts";
import { type OrderRequest, planOrder } from "./plan-order.ts";

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
  return { plan: { ...shape, zone, includeArchived, filters, order, skip: Number(skip), limit } };
}

/** Without a source, only the faults that need none are found. */
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
