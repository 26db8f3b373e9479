import type { FieldViolation } from "@ems/kit/errors";
import { findColumn } from "../sources/index.ts";
import { lookUp } from "./lookup.ts";
import type { Grouping, Order, Shape, Term } from "./plan.ts";

export interface OrderRequest {
  readonly column: string;
  readonly direction: string;
}

/** The requested order, completed by tie-breakers to a total one. */
export function planOrder(
  requests: readonly OrderRequest[],
  shape: Shape | undefined,
  faults: FieldViolation[],
): Order[] {
  const requested = requests.flatMap((request, index) => {
    const path = ["order_by", index];
    const direction = lookUp(["asc", "desc"], request.direction, [...path, "direction"], faults);
    if (shape === undefined) return [];
    const terms = termsOf(shape);
    const id = lookUp([...terms.keys()], request.column, [...path, "column"], faults);
    if (id !== undefined && requests.findIndex(({ column }) => column === id) < index) {
      faults.push({ path: [...path, "column"], message: `${id} is ordered by already` });
    }
    const term = id === undefined ? undefined : terms.get(id);
    return term === undefined ? [] : [{ ...term, isDescending: direction === "desc" }];
  });
  return shape === undefined ? requested : [...requested, ...tieBreakers(shape, requested)];
}

/** What the results can be ordered by, under its column of the results. */
export function termsOf({ isGrouped, source, groupings, measures }: Shape): Map<string, Term> {
  if (!isGrouped) return new Map(source.columns.map((column) => [column.id, { column }]));
  return new Map<string, Term>([
    ...groupings.map((grouping): [string, Term] => [grouping.column.id, { grouping }]),
    ...measures.map((measure): [string, Term] => [measure.id, { measure }]),
  ]);
}

function tieBreakers({ isGrouped, source, groupings }: Shape, requested: readonly Order[]): Order[] {
  if (isGrouped) {
    const isOpen = (grouping: Grouping) =>
      !requested.some((order) => "grouping" in order && order.grouping === grouping);
    const createdFirst = groupings.toSorted((a, b) => Number(isCreated(b)) - Number(isCreated(a)));
    return createdFirst.filter(isOpen).map((grouping) => ({ grouping, isDescending: false }));
  }
  const ids = requested.length === 0 ? ["createdAt", "id"] : ["id"];
  const isDescending = requested.at(-1)?.isDescending ?? true;
  return ids.flatMap((id) => {
    const column = findColumn(source, id);
    const isOrdered = requested.some((order) => "column" in order && order.column === column);
    return column === undefined || isOrdered ? [] : [{ column, isDescending }];
  });
}

function isCreated({ column }: Grouping): boolean {
  return column.id === "createdAt";
}
