// URL parameters that every list has: page, order and columns.

import { oneOf, type RawSearch, texts, whole } from "./search.ts";

export const pageSizes = [25, 50, 100] as const;
export const defaultLimit = 25;

export interface ListSearch<Order extends string = string> {
  readonly skip?: number;
  readonly limit?: number;
  readonly orderBy?: Order;
  readonly orderDir?: "asc" | "desc";
  /** Ids of the visible columns. Default: the table's default columns. */
  readonly columns?: string[];
}

/** Store to read rows from, other than PostgreSQL. */
export type Store = "archive";

export interface StoreSearch {
  readonly store?: Store;
}

export function listSearch<const Order extends string>(raw: RawSearch, orders: readonly Order[]): ListSearch<Order> {
  return {
    skip: whole(raw.skip, 1),
    limit: whole(raw.limit, 1, 100),
    orderBy: oneOf(raw.orderBy, orders),
    orderDir: oneOf(raw.orderDir, ["asc", "desc"]),
    columns: texts(raw.columns),
  };
}

/** Returns only the parameters that the API reads. */
export function toPageQuery<Order extends string>({ skip, limit, orderBy, orderDir }: ListSearch<Order>) {
  return { skip, limit: limit ?? defaultLimit, orderBy, orderDir };
}
