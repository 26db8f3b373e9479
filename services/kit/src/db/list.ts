// Lists: a page of a tenant's matching rows, and the number of all matching rows. An RPC declares its list once with
// `defineList`, and responds with `listPage`:
//
//   const where = { status: "g.status = ANY (?)" };
//   const list = defineList(TagEntity, { alias: "g", orderBy: TagOrderSchema, where, search: "catalog.find_tag" });
//   const { rows, pagination } = await listPage(database, call, list, request, { status }, { search: request.search });
//   return { data: rows.map(tag), pagination };

import type { DescEnum, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";
import type { EntitySchema } from "typeorm";
import { notFound } from "../errors.ts";
import { dateFromTimestamp } from "../json/timestamp.ts";
import type { Call } from "../rpc/call.ts";
import { buildSelectList, columnList, getQualifiedTable } from "./columns.ts";
import { invalidCursor, type Position } from "./cursor.ts";
import type { Database, Statement } from "./database.ts";
import { isInvalidValue } from "./errors.ts";
import { type ListCounts, type ListTexts, type PageOptions, pageText } from "./list-texts.ts";
import { type Orders, type Page, type PageRequest, pagination, parsePage } from "./page.ts";

export interface ListOptions {
  /** Alias of the entity's table in FROM. */
  readonly alias: string;
  /** Distinguishes the lists of one table, if there are several. */
  readonly name?: string;
  /** Enum of the request's `orderBy`; its JSON names are properties of the entity or keys of `orders`. */
  readonly orderBy: DescEnum;
  /** Predicates by filter name; `?` stands for the value, `$1` for the tenant. listPage always filters by tenant. */
  readonly where?: Readonly<Record<string, string>>;
  /** Select list, if it is more than the entity's columns. */
  readonly columns?: string;
  /** FROM clause, if other tables are joined to the entity's. */
  readonly from?: string;
  /** Joins for the rows of the page only, such as sums. */
  readonly join?: string;
  /** Condition on the page as a whole, whose ids are `page.id`. If it is false, no rows are returned. */
  readonly fits?: string;
  /** SQL of `orderBy` values that are not columns of the entity. */
  readonly orders?: Readonly<Record<string, string>>;
  /** Names of `orders` whose values change without a change of the row. They have no cursors. */
  readonly unstable?: readonly string[];
  /**
   * Function that finds the ids of rows that contain a text (search-schema.ts). `searchId` is the column of these ids;
   * by default the entity's id.
   */
  readonly search?: string;
  readonly searchId?: string;
  /** Row counts of the table (list-counts-schema.ts). */
  readonly counts?: Pick<ListCounts, "times"> & Partial<Pick<ListCounts, "groups" | "range">>;
}

export interface List<Row> extends ListTexts {
  /** Part of the names of prepared statements. */
  readonly name: string;
  readonly orders: Orders;
  readonly getTenantId: (call: Call) => string;
  readonly toRows: (rows: readonly unknown[]) => Row[];
}

/** Defines a list of the entity's rows. `Row` is the type of the rows read, if `columns` has more. */
export function defineList<Stored extends object, Row extends object = Stored>(
  entity: EntitySchema<Stored>,
  { alias, name, orderBy, where, columns, from, join, fits, orders, unstable, search, searchId, counts }: ListOptions,
): List<Row> {
  const all = columnList(entity).map(({ property, name }) => [property, `${alias}.${name}`] as const);
  const filled = columnList(entity).flatMap(({ property, isNullable }) => (isNullable ? [] : property));
  const byProperty = { ...Object.fromEntries(all), ...orders };
  const belongsToOrganization = byProperty.applicationId === undefined;
  const tenant = `${belongsToOrganization ? byProperty.orgId : byProperty.applicationId}`;
  const id = `${alias}."id"`;
  const table = getQualifiedTable(entity);
  return {
    name: name ?? entity.options.tableName ?? table,
    alias,
    columns: columns ?? buildSelectList(entity, alias),
    from: from ?? `${table} ${alias}`,
    where: where ?? {},
    tenant,
    id,
    key: columnList(entity)
      .filter(({ isKey, name }) => isKey && `${alias}.${name}` !== tenant)
      .map(({ name }) => name),
    join: join ?? "",
    fits: fits ?? "true",
    isFilled: [columns, join, fits].some((option) => option !== undefined),
    search: search === undefined ? undefined : { id: searchId ?? id, find: search },
    counts: counts && { groups: [], range: undefined, ...counts, table: `${table}_count`, rows: `${table} ${alias}` },
    orders: {
      columns: { ...byProperty, id },
      values: orderBy,
      unstable,
      filled: new Set(filled.filter((property) => orders?.[property] === undefined)),
    },
    getTenantId: ({ tenant }) => (belongsToOrganization ? tenant.orgId : tenant.applicationId),
    // The statement's text determines the columns; the caller declares their types.
    toRows: (rows) => rows as Row[],
  };
}

export interface ListRequest extends Pick<PageOptions, "search" | "total"> {
  /** Statement that returns a row if the list's parent exists. Without a row, `name` is reported as not found. */
  readonly parent?: { readonly name: string; readonly statement: Statement };
}

/** PostgreSQL truncates longer statement names. */
const nameLengthMax = 63;

/** Common page sizes. Statements for any other size are not prepared. */
const preparedLimits: readonly number[] = [10, 20, 25, 50, 100];

export interface ListedPage<Row> {
  readonly rows: Row[];
  readonly pagination: MessageInitShape<typeof PaginationSchema>;
  /** True if the page has rows but the list's `fits` is false for them. */
  readonly isTooLarge: boolean;
}

/** Reads the requested page; `filters` are the values of the list's `where`, null for inactive filters. */
export async function listPage<Row>(
  database: Database,
  call: Call,
  list: List<Row>,
  request: PageRequest,
  filters: Readonly<Record<string, unknown>> = {},
  { search, parent, total }: ListRequest = {},
): Promise<ListedPage<Row>> {
  const page = parsePage(request, list.orders, list.getTenantId(call));
  const options = { tenant: list.getTenantId(call), filters, search, total };
  const inBulkhead = <T>(read: () => Promise<T>) => (search === undefined ? read() : database.runExpensive(call, read));
  const statements = [pageStatement(list, page, options), ...(parent === undefined ? [] : [parent.statement])];
  const [found = [], parents] = await inBulkhead(() => database.readAll(call, statements)).catch((error: unknown) => {
    throw page.after !== undefined && isInvalidValue(error) ? invalidCursor() : error;
  });
  if (parent !== undefined && parents?.length !== 1) throw notFound(parent.name);
  const rows = found.filter(({ id }) => id !== null);
  const count = Number(found[0]?.total ?? 0);
  const rest = page.after === undefined ? count - Number(page.skip) : Number(found[0]?.rest ?? 0);
  return {
    rows: list.toRows(rows),
    pagination: pagination(page, count, rest > rows.length ? lastPosition(rows) : undefined),
    isTooLarge: rows.length === 0 && rest > 0,
  };
}

function lastPosition(rows: readonly Record<string, unknown>[]): Position | undefined {
  const last = rows.at(-1);
  return last && { key: last.sort_text === null ? null : String(last.sort_text), id: String(last.sort_id) };
}

function pageStatement<Row>(list: List<Row>, page: Page, options: PageOptions): Statement {
  const { text, values, names } = pageText(list, page, options);
  // Prepare only common forms: all forms would fill the connections with prepared statements.
  const isCommon =
    names.length <= 2 && preparedLimits.includes(page.limit) && options.total === undefined && page.after === undefined;
  const kind = options.search === undefined ? "list" : "search";
  const name = [kind, list.name, page.property, page.direction, page.limit, ...names].join("-");
  return isCommon && name.length <= nameLengthMax ? { name, text, values } : { text, values };
}

/**
 * Converts a request's inclusive dates to the filters `from` and `until`. `until` is exclusive: one millisecond later,
 * since rows have whole milliseconds.
 */
export function timeRange({
  startDate,
  endDate,
}: {
  startDate?: Timestamp | undefined;
  endDate?: Timestamp | undefined;
}) {
  return {
    from: startDate && timestampDate(startDate),
    until: endDate && new Date(dateFromTimestamp(endDate).getTime() + 1),
  };
}

/** Returns the values of a filter, or null (no filter) if there are none. */
export function nonEmptyOrNull<T>(values: readonly T[]): readonly T[] | null {
  return values.length === 0 ? null : values;
}
