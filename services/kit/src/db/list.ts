// Lists: a page of a tenant's rows that match, and how many match in all. An RPC states its list once, by `listOf`, and
// answers with `listPage`:
//
//   const where = { status: "g.status = ANY (?)" };
//   const list = listOf(TagEntity, { alias: "g", orderBy: TagOrderSchema, where, search: "catalog.find_tag" });
//   const { rows, pagination } = await listPage(database, call, list, request, { status }, { search: request.search });
//   return { data: rows.map(tag), pagination };

import type { DescEnum, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";
import type { EntitySchema } from "typeorm";
import { notFound } from "../errors.ts";
import { dateOf } from "../json/timestamp.ts";
import type { Call } from "../rpc/call.ts";
import { columnList, columnsOf, tableOf } from "./columns.ts";
import type { Database, Statement } from "./database.ts";
import { type ListCounts, type ListTexts, type PageOptions, pageText } from "./list-texts.ts";
import { type Orders, type Page, type PageRequest, pageOf, pagination } from "./page.ts";

export interface ListOptions {
  /** What FROM calls the entity's table. */
  readonly alias: string;
  /** Tells the lists of one table apart, where there are several. */
  readonly name?: string;
  /** The enum of the request's `orderBy`, whose JSON names are properties of the entity or in `orders`. */
  readonly orderBy: DescEnum;
  /** Predicates by the names of filters; `?` stands for the value, `$1` for the tenant, by which listPage filters itself. */
  readonly where?: Readonly<Record<string, string>>;
  /** The select list, where it is more than the entity's columns. */
  readonly columns?: string;
  /** What stands after FROM, where other tables are joined to the entity's. */
  readonly from?: string;
  /** What is joined to the rows of the page alone, such as sums. */
  readonly join?: string;
  /** What has to hold for a page, whose ids are `page.id`; one for which it does not has no rows. */
  readonly fits?: string;
  /** SQL of the values of `orderBy` that are no columns of the entity. */
  readonly orders?: Readonly<Record<string, string>>;
  /** The function that finds the ids of rows with a text (search-schema.ts), and the ids it finds, by default the entity's. */
  readonly search?: string;
  readonly searchId?: string;
  /** What the table's row counts have (list-counts-schema.ts). */
  readonly counts?: Pick<ListCounts, "times"> & Partial<Pick<ListCounts, "groups" | "range">>;
}

export interface List<Row> extends ListTexts {
  /** Part of the names of prepared statements. */
  readonly name: string;
  readonly orders: Orders;
  readonly tenantOf: (call: Call) => string;
  readonly rowsOf: (rows: readonly unknown[]) => Row[];
}

/** A list of the entity's rows; `Row` is what they are read as, where `columns` has more. */
export function listOf<Stored extends object, Row extends object = Stored>(
  entity: EntitySchema<Stored>,
  { alias, name, orderBy, where, columns, from, join, fits, orders, search, searchId, counts }: ListOptions,
): List<Row> {
  const all = columnList(entity).map(({ property, name }) => [property, `${alias}.${name}`] as const);
  const byProperty = { ...Object.fromEntries(all), ...orders };
  const isOrganisations = byProperty.applicationId === undefined;
  const tenant = `${isOrganisations ? byProperty.orgId : byProperty.applicationId}`;
  const id = `${alias}."id"`;
  const table = tableOf(entity);
  return {
    name: name ?? entity.options.tableName ?? table,
    alias,
    columns: columns ?? columnsOf(entity, alias),
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
    orders: { columns: { ...byProperty, id }, values: orderBy },
    tenantOf: ({ tenant }) => (isOrganisations ? tenant.orgId : tenant.applicationId),
    // The columns are what the text says; the types are named beside it.
    rowsOf: (rows) => rows as Row[],
  };
}

export interface ListRequest extends Pick<PageOptions, "search" | "total"> {
  /** Has a row when what the list belongs to is there; else that is not found. */
  readonly parent?: { readonly name: string; readonly statement: Statement };
}

/** PostgreSQL truncates longer names of statements. */
const nameLengthMax = 63;

/** Limits that clients use. */
const preparedLimits: readonly number[] = [10, 20, 25, 50, 100];

export interface ListedPage<Row> {
  readonly rows: Row[];
  readonly pagination: MessageInitShape<typeof PaginationSchema>;
  /** The page has rows, and the list's `fits` does not hold for them. */
  readonly isTooLarge: boolean;
}

/** Reads the page that `request` asks for; `filters` are the values of the list's `where`, null for what does not filter. */
export async function listPage<Row>(
  database: Database,
  call: Call,
  list: List<Row>,
  request: PageRequest,
  filters: Readonly<Record<string, unknown>> = {},
  { search, parent, total }: ListRequest = {},
): Promise<ListedPage<Row>> {
  const page = pageOf(request, list.orders);
  const options = { tenant: list.tenantOf(call), filters, search, total };
  const inBulkhead = <T>(read: () => Promise<T>) => (search === undefined ? read() : database.runExpensive(call, read));
  const statements = [pageStatement(list, page, options), ...(parent === undefined ? [] : [parent.statement])];
  const [found = [], parents] = await inBulkhead(() => database.readAll(call, statements));
  if (parent !== undefined && parents?.length !== 1) throw notFound(parent.name);
  const rows = found.filter(({ id }) => id !== null);
  const count = Number(found[0]?.total ?? 0);
  return {
    rows: list.rowsOf(rows),
    pagination: pagination(page, count),
    isTooLarge: rows.length === 0 && page.skip < count,
  };
}

function pageStatement<Row>(list: List<Row>, page: Page, options: PageOptions): Statement {
  const { text, values, names } = pageText(list, page, options);
  // Prepared where few forms are common: the others would fill the connections with prepared statements.
  const isCommon = names.length <= 2 && preparedLimits.includes(page.limit) && options.total === undefined;
  const kind = options.search === undefined ? "list" : "search";
  const name = [kind, list.name, page.property, page.direction, page.limit, ...names].join("-");
  return isCommon && name.length <= nameLengthMax ? { name, text, values } : { text, values };
}

/** The filters `from` and `until` of a request's inclusive dates. Rows have whole milliseconds, so that the end is exclusive. */
export function timeRange({
  startDate,
  endDate,
}: {
  startDate?: Timestamp | undefined;
  endDate?: Timestamp | undefined;
}) {
  return {
    from: startDate && timestampDate(startDate),
    until: endDate && new Date(dateOf(endDate).getTime() + 1),
  };
}

/** The values of a filter; null, which filters nothing, when there are none. */
export function nonEmptyOrNull<T>(values: readonly T[]): readonly T[] | null {
  return values.length === 0 ? null : values;
}
