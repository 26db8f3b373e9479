// Pages of lists: defaults, order and totals.

import type { DescEnum, MessageInitShape } from "@bufbuild/protobuf";
import { OrderDirection } from "@ems/proto/type/v1/order";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";
import { enumName } from "../enum.ts";
import { invalidField } from "../errors.ts";
import { type CursorScope, decodeCursor, encodeCursor, type Position } from "./cursor.ts";

/** Fields of every list request. */
export interface PageRequest {
  readonly skip?: bigint | undefined;
  /** Cursor of the previous page; empty counts as absent. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** Sort order: a value of the list's enum. */
  readonly orderBy?: number | undefined;
  readonly orderDir?: OrderDirection | undefined;
}

export interface Page {
  readonly skip: bigint;
  /** Position that the page starts after; undefined for pages found by `skip`. */
  readonly after: Position | undefined;
  readonly limit: number;
  /** ORDER BY terms; they end in `id`, so that pages neither overlap nor skip rows. */
  readonly orderBy: string;
  /** The first term's SQL, and the direction of all terms. */
  readonly column: string;
  readonly direction: "ASC" | "DESC";
  /** The JSON name of `orderBy`'s value. */
  readonly property: string;
  /** True if the first term can be null. */
  readonly isNullable: boolean;
  /** Scope of the page's cursors; undefined if the order has none. */
  readonly scope: CursorScope | undefined;
}

/** Default page size. */
const limitDefault = 25;

/** Sort orders of a list. */
export interface Orders {
  /** SQL by JSON name of the enum's values. */
  readonly columns: Readonly<Record<string, string>> & { readonly id: string };
  /** Enum of `orderBy`, for lists whose order can be chosen. */
  readonly values?: DescEnum | undefined;
  /** Names of `columns` that are never null. */
  readonly filled?: ReadonlySet<string>;
  /** Names of `columns` whose values change without a change of the row, so that a cursor has no place among them. */
  readonly unstable?: readonly string[] | undefined;
}

/** Parses a list request of a tenant. Its rules allow only values of the enum. */
export function parsePage(request: PageRequest, orders: Orders, tenant = ""): Page {
  const { columns, values, filled, unstable = [] } = orders;
  const direction = request.orderDir === OrderDirection.ASC ? "ASC" : "DESC";
  // The unspecified value counts as absent.
  const requested = values !== undefined && request.orderBy ? enumName(values, request.orderBy) : "createdAt";
  const orderBy = Object.hasOwn(columns, requested) ? requested : "id";
  const column = columns[orderBy] ?? columns.id;
  const terms = column === columns.id ? [column] : [column, columns.id];
  const scope = unstable.includes(orderBy) ? undefined : cursorScope(request, tenant, `${orderBy} ${direction}`);
  return {
    skip: request.skip ?? 0n,
    after: request.after ? parseCursor(request, request.after, scope, orders) : undefined,
    limit: request.limit ?? limitDefault,
    orderBy: terms.map((term) => `${term} ${direction}`).join(", "),
    column,
    direction,
    property: orderBy,
    isNullable: column !== columns.id && filled?.has(orderBy) !== true,
    scope,
  };
}

function parseCursor(
  { skip }: PageRequest,
  cursor: string,
  scope: CursorScope | undefined,
  { columns, values, unstable = [] }: Orders,
): Position {
  if (skip !== undefined) throw invalidField(["after"], "`after` and `skip` exclude each other: send one of them");
  if (scope !== undefined) return decodeCursor(scope, cursor);
  const names = values?.values.flatMap(({ number }) => (number === 0 ? [] : enumName<string>(values, number))) ?? [];
  const stable = names.filter((name) => Object.hasOwn(columns, name) && !unstable.includes(name));
  throw invalidField(["after"], `This order has no cursors: use \`skip\`, or order by ${stable.join(", ")}`);
}

/** Fields of a request for a list or an export that do not select rows. The order is part of the scope on its own. */
const pageFields: ReadonlySet<string> = new Set([
  "$typeName",
  "skip",
  "after",
  "limit",
  "orderBy",
  "orderDir",
  "format",
]);

/** Returns the scope of a request's cursors. Its own message names the list; its other fields are the filters. */
export function cursorScope(
  request: { readonly $typeName?: string; readonly after?: string | undefined },
  tenant: string,
  order: string,
): CursorScope {
  const filters = Object.entries(request).filter(([name, value]) => !pageFields.has(name) && !isEmpty(value));
  const text = JSON.stringify(
    filters.sort(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
  );
  return { list: request.$typeName ?? "", tenant, order, filters: text };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/**
 * Builds the `pagination` of a response for a list with `total` matching rows. `last` is the position of the page's
 * last row, if further rows follow.
 */
export function pagination(
  { skip, limit, scope }: Page,
  total: number,
  last?: Position,
): MessageInitShape<typeof PaginationSchema> {
  const totalCount = BigInt(total);
  const next = last === undefined || scope === undefined ? {} : { nextCursor: encodeCursor(scope, last) };
  return { skip, limit, total: totalCount, totalPages: BigInt(Math.ceil(total / limit)), totalCount, ...next };
}
