// The order of the results, checked and completed so that no two results are equal in it.

import type { Fault } from "@ems/kit/errors";
import { findColumn } from "../sources/index.ts";
import type { Column } from "../sources/source.ts";
import type { Group, Measure, Shape } from "./plan.ts";
import { wordOf } from "./words.ts";

export interface OrderRequest {
  readonly column: string;
  readonly direction: string;
}

/** One term: of rows a column, of groups a group or a measure. No value comes last, whatever the direction. */
export type Order = { readonly isDescending: boolean } & (
  | { readonly column: Column }
  | { readonly group: Group }
  | { readonly measure: Measure }
);

export function planOrder(requests: readonly OrderRequest[], shape: Shape | undefined, faults: Fault[]): Order[] {
  const given = requests.flatMap((request, index) => {
    const path = ["order_by", index];
    const direction = wordOf(["asc", "desc"], request.direction, [...path, "direction"], faults);
    if (shape === undefined) return [];
    const terms = termsOf(shape);
    const known = wordOf([...terms.keys()], request.column, [...path, "column"], faults);
    if (known !== undefined && requests.findIndex(({ column }) => column === known) < index) {
      faults.push({ path: [...path, "column"], message: `${known} is ordered by already` });
    }
    const term = known === undefined ? undefined : terms.get(known);
    return term === undefined ? [] : [{ ...term, isDescending: direction === "desc" }];
  });
  return shape === undefined ? given : [...given, ...tieBreakers(shape, given)];
}

type Term = { column: Column } | { group: Group } | { measure: Measure };

/** What the results can be ordered by, under the names that they have there. */
export function termsOf({ isGrouped, source, groups, measures }: Shape): Map<string, Term> {
  if (!isGrouped) return new Map(source.columns.map((column) => [column.id, { column }]));
  return new Map<string, Term>([
    ...groups.map((group): [string, Term] => [group.column.id, { group }]),
    ...measures.map((measure): [string, Term] => [measure.id, { measure }]),
  ]);
}

function tieBreakers({ isGrouped, source, groups }: Shape, given: readonly Order[]): Order[] {
  if (isGrouped) {
    const isOpen = (group: Group) => !given.some((order) => "group" in order && order.group === group);
    const createdFirst = groups.toSorted((a, b) => Number(isCreated(b)) - Number(isCreated(a)));
    return createdFirst.filter(isOpen).map((group) => ({ group, isDescending: false }));
  }
  const ids = given.length === 0 ? ["createdAt", "id"] : ["id"];
  const isDescending = given.at(-1)?.isDescending ?? true;
  return ids.flatMap((id) => {
    const column = findColumn(source, id);
    const isTaken = given.some((order) => "column" in order && order.column === column);
    return column === undefined || isTaken ? [] : [{ column, isDescending }];
  });
}

function isCreated({ column }: Group): boolean {
  return column.id === "createdAt";
}
