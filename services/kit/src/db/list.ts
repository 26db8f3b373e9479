// Lists: a page of a tenant's rows that match, and how many match in all. An RPC states its list once, by `listOf`, and
// answers with `listPage`:
//
//   const list = listOf(TagEntity, { alias: "g", where: "g.status = ANY ($2)", search: "catalog.find_tag" });
//   const { rows, pagination } = await listPage(database, call, list, request, [statuses], { search: request.search });
//   return { data: rows.map(tag), pagination };

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PaginationSchema } from "@ems/proto/type/v1/pagination";
import type { QueryResultRow } from "pg";
import type { EntitySchema } from "typeorm";
import { notFound } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { columnList, columnsOf, tableOf } from "./columns.ts";
import type { Database, Statement } from "./database.ts";
import { fillingPage, type ListTexts, listedPage, searchedPage } from "./list-texts.ts";
import { type PageRequest, pageOf, pagination } from "./page.ts";

export interface ListOptions {
  /** What FROM calls the entity's table. */
  readonly alias: string;
  /** Filters over `$2` and on; a filter that is not given is null. `$1` is the tenant, which listPage filters by itself. */
  readonly where?: string;
  /** The select list, where it is more than the entity's columns. */
  readonly columns?: string;
  /** What stands after FROM, where other tables are joined to the entity's. */
  readonly from?: string;
  /** What is joined to the rows of the page alone, such as sums. */
  readonly join?: string;
  /** What has to hold for a page, whose ids are `page.id`; one for which it does not has no rows. */
  readonly fits?: string;
  /** SQL of `orderBy`'s values that are no columns of the entity. */
  readonly orders?: Readonly<Record<string, string>>;
  /** The function that finds the ids of rows with a text (search-schema.ts), and the ids it finds, by default the entity's. */
  readonly search?: string;
  readonly searchId?: string;
  /** False where `where` has many forms: each statement is then planned for its values. */
  readonly isPrepared?: boolean;
}

export interface List<Row> extends ListTexts {
  /** Part of the names of prepared statements. */
  readonly name: string | undefined;
  readonly orders: Readonly<Record<string, string>> & { readonly id: string };
  readonly tenantOf: (call: Call) => string;
  readonly rowsOf: (rows: unknown[]) => Row[];
}

/** A list of the entity's rows; `Row` is what they are read as, where `columns` has more. */
export function listOf<Stored extends object, Row extends object = Stored>(
  entity: EntitySchema<Stored>,
  { alias, where, columns, from, join, fits, orders, search, searchId, isPrepared = true }: ListOptions,
): List<Row> {
  const all = columnList(entity).map(({ property, name }) => [property, `${alias}.${name}`] as const);
  const byProperty = { ...Object.fromEntries(all), ...orders };
  const isOrganisations = byProperty.applicationId === undefined;
  const tenant = `${isOrganisations ? byProperty.orgId : byProperty.applicationId}`;
  const id = `${alias}."id"`;
  return {
    name: isPrepared ? entity.options.tableName : undefined,
    columns: columns ?? columnsOf(entity, alias),
    from: from ?? `${tableOf(entity)} ${alias}`,
    where: where === undefined ? `${tenant} = $1` : `${tenant} = $1 AND ${where}`,
    tenant,
    id,
    join: join ?? "",
    fits: fits ?? "true",
    isFilled: join !== undefined || fits !== undefined,
    search: search === undefined ? undefined : { id: searchId ?? id, find: search },
    orders: { ...byProperty, id },
    tenantOf: ({ tenant }) => (isOrganisations ? tenant.orgId : tenant.applicationId),
    // The columns are what the text says; the types are named beside it.
    rowsOf: (rows) => rows as Row[],
  };
}

export interface ListRequest {
  /** Only rows with this text, whatever the case. */
  readonly search?: string | undefined;
  /** Has a row when what the list belongs to is there; else that is not found. */
  readonly parent?: { readonly name: string; readonly statement: Statement };
  /** A faster statement for the number of matching rows, as `total`. */
  readonly count?: Statement;
}

export interface ListedPage<Row> {
  readonly rows: Row[];
  readonly pagination: MessageInitShape<typeof PaginationSchema>;
  /** The page has rows, and the list's `fits` does not hold for them. */
  readonly isTooLarge: boolean;
}

/** Reads the page that `request` asks for; `filters` are the values of the list's `where`, from `$2` on. */
export async function listPage<Row>(
  database: Database,
  call: Call,
  list: List<Row>,
  request: PageRequest,
  filters: readonly unknown[] = [],
  { search, parent, count }: ListRequest = {},
): Promise<ListedPage<Row>> {
  const page = pageOf(request, list.orders);
  const values = [list.tenantOf(call), ...filters];
  const answer = (rows: unknown[], total: number): ListedPage<Row> => ({
    rows: list.rowsOf(rows),
    pagination: pagination(page, total),
    isTooLarge: rows.length === 0 && page.skip < total,
  });
  const named = (kind: string, text: string, values: unknown[]) =>
    list.name === undefined ? { text, values } : { name: `${kind}-${list.name}`, text, values };

  if (search !== undefined) {
    const all = [...values, search, page.limit, page.skip];
    const statement = named(`search-${page.orderName}`, searchedPage(list, page, values.length), all);
    const found = await database.runExpensive(call, () => database.read<QueryResultRow>(call, statement));
    // The total stands on every row, and on one without an id when the page is empty.
    return answer(
      found.filter(({ id }) => id !== null),
      found[0]?.total ?? 0,
    );
  }
  const text = list.isFilled ? fillingPage(list, page, values.length) : listedPage(list, page, values.length);
  const [rows = [], counts, parents] = await database.readAll(call, [
    named(`list-${page.orderName}`, text, [...values, page.limit, page.skip]),
    count ?? named("count", `SELECT count(*)::int AS total FROM ${list.from} WHERE ${list.where}`, values),
    ...(parent === undefined ? [] : [parent.statement]),
  ]);
  if (parent !== undefined && parents?.length !== 1) throw notFound(parent.name);
  return answer(rows, counts?.[0]?.total ?? 0);
}

/** The values of a filter; null, which filters nothing, when there are none. */
export function nonEmptyOrNull<T>(values: readonly T[]): readonly T[] | null {
  return values.length === 0 ? null : values;
}
