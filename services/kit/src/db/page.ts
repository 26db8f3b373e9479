// Pages of lists: defaults, order and totals.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";

/** What every list request has. */
export interface PageRequest {
  readonly skip?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly orderBy?: string | undefined;
  readonly orderDir?: string | undefined;
}

export interface Page {
  readonly skip: bigint;
  readonly limit: number;
  /** ORDER BY terms; they end in `id`, so that pages neither overlap nor skip rows. */
  readonly orderBy: string;
  /** The first term's SQL, and the direction of all terms. */
  readonly column: string;
  readonly direction: "ASC" | "DESC";
  /** The value of `orderBy`, one of those allowed. */
  readonly property: string;
}

/** Rows of a page when the request does not say. */
const limitDefault = 25;

/** Reads a list request; `columns` maps the values of `orderBy` to SQL. The request's rules allow some of them. */
export function pageOf(
  request: PageRequest,
  columns: Readonly<Record<string, string>> & { readonly id: string },
): Page {
  const direction = request.orderDir === "asc" ? "ASC" : "DESC";
  const requested = request.orderBy ?? "createdAt";
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

/** The `pagination` of an answer whose list has `total` matching rows. */
export function pagination({ skip, limit }: Page, total: number): MessageInitShape<typeof PaginationSchema> {
  const totalCount = BigInt(total);
  return { skip, limit, total: totalCount, totalPages: BigInt(Math.ceil(total / limit)), totalCount };
}
