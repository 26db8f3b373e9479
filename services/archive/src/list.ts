// A page of a list whose rows may be in the archive: of PostgreSQL, or with `store=archive` of the archive.

import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Column, columnList } from "@ems/kit/db/columns";
import { type List, type ListedPage, type ListRequest, listPage } from "@ems/kit/db/list";
import { type PageRequest, pageOf, pagination } from "@ems/kit/db/page";
import { invalidField } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { EntitySchema } from "typeorm";
import { columnType } from "./column-type.ts";
import { clipped, nothing } from "./extent.ts";
import { archivedColumnsOf, archivedRows } from "./rows.ts";
import type { Extents, Stores } from "./stores.ts";
import { type ArchiveKind, archivedTables, archiveKinds, type Extent } from "./types.ts";

type Filters = Readonly<Record<string, unknown>>;

/** What the archive's part of a list needs beside PostgreSQL's. */
export interface ArchivedList<Row extends object> {
  readonly entity: EntitySchema<Row>;
  readonly kind: ArchiveKind;
  /** ClickHouse's predicates of filters, `{?:UUID}` being the value: of those that are more than a comparison with a column. */
  readonly where?: Readonly<Record<string, string>>;
  /** Filters that read other tables, by name: the request's field. The archive cannot filter by them. */
  readonly unavailable?: Readonly<Record<string, string>>;
  /** When the rows were created that match the filters `from` and `until`; by default between these. */
  readonly created?: (from?: Date, until?: Date) => readonly (Date | undefined)[];
}

export interface StorePageRequest extends PageRequest {
  /** `archive`, or PostgreSQL. */
  readonly store?: string | undefined;
}

export interface StorePageOptions extends Pick<ListRequest, "search" | "total"> {
  /** Values of the archive's predicates that differ from PostgreSQL's. */
  readonly archived?: Filters;
}

/** Reads the page from the store that the request names. PostgreSQL's says since when rows are in it, where the dates reach back. */
export async function listPageOfStore<Row extends object>(
  stores: Stores,
  call: Call,
  list: List<Row>,
  archived: ArchivedList<Row>,
  request: StorePageRequest,
  filters: Filters,
  { search, total, archived: others = {} }: StorePageOptions = {},
): Promise<ListedPage<Row>> {
  const { created = (from, until) => [from, until] } = archived;
  const [from, until] = created(dateOf(filters.from), dateOf(filters.until));
  const { extents } = stores.hasArchive ? await stores.read(call, ["results", "traces"], []) : none;
  const own = clipped(extents[archived.kind], from, until);
  if (request.store === "archive")
    return archivedPage(stores, call, list, archived, request, { ...filters, ...others }, { ...extents, own });
  // Sums have archived rows, too: then rows are counted.
  const end = own.intervals.at(-1)?.to;
  const page = await listPage(stores.database, call, list, request, filters, {
    ...(search !== undefined && { search }),
    ...(total !== undefined && end === undefined && { total }),
  });
  if (end === undefined) return page;
  return { ...page, pagination: { ...page.pagination, archivedBefore: timestampFromMs(end) } };
}

const none = { extents: { results: nothing, traces: nothing } };

async function archivedPage<Row extends object>(
  stores: Stores,
  call: Call,
  list: List<Row>,
  archived: ArchivedList<Row>,
  request: PageRequest,
  filters: Filters,
  { own, ...extentsOf }: Extents & { readonly own: Extent },
): Promise<ListedPage<Row>> {
  const { entity } = archived;
  const { alias, id } = list;
  const page = pageOf(request, list.orders);
  const { where, parameters } = predicatesOf(list, archived, filters);
  // The list's table first: its extent says whether there is anything to read.
  const name = String(entity.options.tableName);
  const others = archiveKinds.flatMap((one) => archivedTables[one].map((table) => [table, extentsOf[one]] as const));
  const extents = { [name]: own, ...Object.fromEntries(others.filter(([table]) => table !== name)) };
  const from = `${name} ${alias}`;
  const order = sortedBy(list, page.column, page.direction);
  const [counts, found] = await Promise.all([
    stores.query<{ rows: string }>(call, extents, `SELECT count() AS rows FROM ${from} WHERE ${where}`, parameters),
    // Other columns are read of the page's rows alone.
    stores.query<Record<string, unknown>>(
      call,
      extents,
      `SELECT ${archivedColumnsOf(entity, alias)} FROM ${from}
        WHERE (${alias}.created_at, ${id}) IN (SELECT ${alias}.created_at, ${id} FROM ${from} WHERE ${where}
          ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.skip})
        ORDER BY ${order}`,
      parameters,
    ),
  ]);
  const total = Number(counts[0]?.rows ?? 0);
  return { rows: archivedRows(entity, found), pagination: pagination(page, total), isTooLarge: false };
}

/** ClickHouse sorts UUIDs by their second half. PostgreSQL has null after all other values. */
function sortedBy({ id }: { readonly id: string }, column: string, direction: "ASC" | "DESC"): string {
  const last = `toString(${id}) ${direction}`;
  return column === id ? last : `${column} ${direction} NULLS ${direction === "DESC" ? "FIRST" : "LAST"}, ${last}`;
}

/** The filters' predicates as ClickHouse writes them. */
function predicatesOf<Row extends object>(list: List<Row>, archived: ArchivedList<Row>, filters: Filters) {
  const present = Object.entries(filters).filter(([, value]) => (value ?? null) !== null);
  for (const [name] of present) {
    const field = archived.unavailable?.[name];
    if (field !== undefined)
      throw invalidField([field], "The archive has no such filter: leave it out, or leave out `store`");
  }
  const texts: Readonly<Record<string, string>> = { ...list.where, ...archived.where };
  const predicates = present.flatMap(([name]) => {
    const text = texts[name];
    return text === undefined ? [] : `(${typed(list.alias, archived.entity, text).replaceAll("{?:", `{${name}:`)})`;
  });
  return { where: predicates.join(" AND ") || "true", parameters: Object.fromEntries(present) };
}

/** A predicate on one column, `t.status = ANY (?)`, with the column's type. */
function typed(alias: string, entity: EntitySchema<never> | EntitySchema<object>, text: string): string {
  if (text.includes("{?:")) return text;
  const [, name] = new RegExp(`^${alias}\\."?(\\w+)"? `).exec(text) ?? [];
  const column = columnList(entity as EntitySchema).find((one: Column) => one.name === `"${name}"`);
  if (column === undefined) throw new Error(`the archive needs a text of its own for ${text}`);
  const type = columnType(column).name;
  return text.replace("= ANY (?)", `IN {?:Array(${type})}`).replace(/ \?$/, ` {?:${type}}`);
}

function dateOf(value: unknown): Date | undefined {
  return value instanceof Date ? value : undefined;
}
