// Pages of lists: defaults, order and totals.

import type { DescEnum, MessageInitShape } from "@bufbuild/protobuf";
import { OrderDirection } from "@ems/proto/type/v1/order";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";
import { enumName } from "../enum.ts";

/** Fields of every list request. */
export interface PageRequest {
  readonly skip?: bigint | undefined;
  readonly limit?: number | undefined;
  /** Sort order: a value of the list's enum. */
  readonly orderBy?: number | undefined;
  readonly orderDir?: OrderDirection | undefined;
}

export interface Page {
  readonly skip: bigint;
  readonly limit: number;
  /** ORDER BY terms; they end in `id`, so that pages neither overlap nor skip rows. */
  readonly orderBy: string;
  /** The first term's SQL, and the direction of all terms. */
  readonly column: string;
  readonly direction: "ASC" | "DESC";
  /** The JSON name of `orderBy`'s value. */
  readonly property: string;
}

/** Default page size. */
const limitDefault = 25;

/** Sort orders of a list. */
export interface Orders {
  /** SQL by JSON name of the enum's values. */
  readonly columns: Readonly<Record<string, string>> & { readonly id: string };
  /** Enum of `orderBy`, for lists whose order can be chosen. */
  readonly values?: DescEnum | undefined;
}

/** Parses a list request. Its rules allow only values of the enum. */
export function parsePage(request: PageRequest, { columns, values }: Orders): Page {
  const direction = request.orderDir === OrderDirection.ASC ? "ASC" : "DESC";
  // The unspecified value counts as absent.
  const requested = values !== undefined && request.orderBy ? enumName(values, request.orderBy) : "createdAt";
  const orderBy = Object.hasOwn(columns, requested) ? requested : "id";
  const column = columns[orderBy] ?? columns.id;
  const terms = column === columns.id ? [column] : [column, columns.id];
  return {
    skip: request.skip ?? 0n,
    limit: request.limit ?? limitDefault,
    orderBy: terms.map((term) => `${term} ${direction}`).join(", "),
    column,
    direction,
    property: orderBy,
  };
}

/** Builds the `pagination` of a response for a list with `total` matching rows. */
export function pagination({ skip, limit }: Page, total: number): MessageInitShape<typeof PaginationSchema> {
  const totalCount = BigInt(total);
  return { skip, limit, total: totalCount, totalPages: BigInt(Math.ceil(total / limit)), totalCount };
}
