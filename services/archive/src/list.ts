// A page of a list from PostgreSQL or, with `store=archive`, from the archive.

import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Column, columnList } from "@ems/kit/db/columns";
import { type List, type ListedPage, type ListRequest, listPage } from "@ems/kit/db/list";
import type { AfterRequest } from "@ems/kit/db/list-after";
import { type Page, type PageRequest, pagination, parsePage } from "@ems/kit/db/page";
import { invalidField } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { EntitySchema } from "typeorm";
import { columnType } from "./column-type.ts";
import { clipToRange, nothing } from "./ranges.ts";
import { archivedRows, buildArchivedSelectList } from "./rows.ts";
import type { RangesByKind, Stores } from "./stores.ts";
import { type ArchivedRanges, type ArchiveKind, archivedTables, archiveKinds } from "./types.ts";

type Filters = Readonly<Record<string, unknown>>;

/** Additional description of a list that can be read from the archive. */
export interface ArchivedList<Row extends object> {
  readonly entity: EntitySchema<Row>;
  readonly kind: ArchiveKind;
  /**
   * ClickHouse predicates of filters that do more than compare a column with a value. `{?:UUID}` stands for the value.
   */
  readonly where?: Readonly<Record<string, string>>;
  /** Filters that read other tables, with their request field. The archive cannot apply them. */
  readonly unavailable?: Readonly<Record<string, string>>;
  /** ClickHouse types of the list's `orders` that are not columns. */
  readonly keyTypes?: Readonly<Record<string, string>>;
  /** Range of creation times that can match the filters `from` and `until`; by default the same range. */
  readonly created?: (from?: Date, until?: Date) => readonly (Date | undefined)[];
}

export interface StorePageRequest extends PageRequest {
  /** Store to read: `archive`, or PostgreSQL if unset. */
  readonly store?: string | undefined;
}

export interface StorePageOptions extends Pick<ListRequest, "search" | "total"> {
  /** Filter values for the archive, where they differ from the values for PostgreSQL. */
  readonly archived?: Filters;
}

/**
 * Reads a page from the requested store. A page from PostgreSQL includes `archivedBefore` if the requested dates reach
 * into the archive.
 */
export async function listPageOfStore<Row extends object>(
  stores: Stores,
  call: Call,
  list: List<Row>,
  archived: ArchivedList<Row>,
  request: StorePageRequest,
  filters: Filters,
  { search, total, archived: archiveFilters = {} }: StorePageOptions = {},
): Promise<ListedPage<Row>> {
  const { created = (from, until) => [from, until] } = archived;
  const [from, until] = created(toDate(filters.from), toDate(filters.until));
  const { archivedRanges: ranges } = stores.hasArchive ? await stores.read(call, ["results", "traces"], []) : none;
  const own = clipToRange(ranges[archived.kind], from, until);
  if (request.store === "archive")
    return archivedPage(stores, call, list, archived, request, { ...filters, ...archiveFilters }, { ...ranges, own });
  // If rows are archived, the caller's total includes them: ignore it and count the rows in PostgreSQL.
  const end = own.intervals.at(-1)?.to;
  const page = await listPage(stores.database, call, list, request, filters, {
    ...(search !== undefined && { search }),
    ...(total !== undefined && end === undefined && { total }),
  });
  if (end === undefined) return page;
  return { ...page, pagination: { ...page.pagination, archivedBefore: timestampFromMs(end) } };
}

const none = { archivedRanges: { results: nothing, traces: nothing } };

async function archivedPage<Row extends object>(
  stores: Stores,
  call: Call,
  list: List<Row>,
  archived: ArchivedList<Row>,
  request: PageRequest,
  filters: Filters,
  { own, ...byKind }: RangesByKind & { readonly own: ArchivedRanges },
): Promise<ListedPage<Row>> {
  const { entity } = archived;
  const { alias, id } = list;
  const page = parsePage(request, list.orders, list.getTenantId(call));
  const { where, parameters } = buildPredicates(list, archived, filters);
  const after = isAfter(list, archived, page);
  const { name, ranges } = readableTables(archived, own, byKind);
  const from = `${name} ${alias}`;
  const order = sortedBy(list, page.column, page.direction);
  const [counts, found] = await Promise.all([
    stores.query<{ rows: string }>(call, ranges, `SELECT count() AS rows FROM ${from} WHERE ${where}`, parameters),
    // Read other columns only for the rows of the page.
    stores.query<Record<string, unknown>>(
      call,
      ranges,
      `SELECT ${buildArchivedSelectList(entity, alias)}, toString(${page.column}) AS sort_text FROM ${from}
        WHERE (${alias}.created_at, ${id}) IN (SELECT ${alias}.created_at, ${id} FROM ${from} WHERE ${where} AND ${after}
          ORDER BY ${order} LIMIT ${page.limit + 1} OFFSET ${page.skip})
        ORDER BY ${order}`,
      { ...parameters, ...(page.after && { afterKey: page.after.key ?? "", afterId: page.after.id }) },
    ),
  ]);
  const rows = found.slice(0, page.limit);
  const last = found.length > page.limit ? rows.at(-1) : undefined;
  const position = last && { key: last.sort_text === null ? null : String(last.sort_text), id: String(last.id) };
  const total = Number(counts[0]?.rows ?? 0);
  return { rows: archivedRows(entity, rows), pagination: pagination(page, total, position), isTooLarge: false };
}

/** Condition on rows after the page's cursor, in the order of `sortedBy`. */
function isAfter<Row extends object>({ id }: List<Row>, archived: ArchivedList<Row>, page: Page): string {
  if (page.after === undefined) return "true";
  const { column, property, direction } = page;
  const operator = direction === "ASC" ? ">" : "<";
  const ofId = `toString(${id}) ${operator} {afterId:String}`;
  if (column === id) return ofId;
  if (page.after.key === null)
    return `((isNull(${column}) AND ${ofId})${direction === "ASC" ? "" : ` OR isNotNull(${column})`})`;
  const stored = columnList(archived.entity).find((each) => each.property === property);
  const type = archived.keyTypes?.[property] ?? (stored === undefined ? "String" : columnType(stored).name);
  // A key that no page returned is null here: it selects no rows.
  const key = `accurateCastOrNull({afterKey:String}, '${type.replaceAll("'", "\\'")}')`;
  const nulls = direction === "ASC" ? ` OR isNull(${column})` : "";
  return `(${column} ${operator} ${key} OR (${column} = ${key} AND ${ofId})${nulls})`;
}

/** Reads rows of the archive that arrived after `after`, oldest first; only `properties`, if set. */
export async function readArchivedAfter<Row extends object>(
  stores: Stores,
  call: Call,
  list: List<Row>,
  archived: ArchivedList<Row>,
  { after, until, limit }: Omit<AfterRequest, "search">,
  filters: Filters,
  properties?: readonly (keyof Row)[],
): Promise<Row[]> {
  if (!stores.hasArchive) return [];
  const { created = (from, until) => [from, until] } = archived;
  const [from, to] = created(toDate(filters.from), toDate(filters.until));
  const { archivedRanges: byKind } = await stores.read(call, ["results", "traces"], []);
  const own = clipToRange(byKind[archived.kind], latest(from, after?.createdAt), to);
  const { where, parameters } = buildPredicates(list, archived, filters);
  const { name, ranges } = readableTables(archived, own, byKind);
  const { alias, id } = list;
  const time = `${alias}.created_at`;
  const position = `(${time} > fromUnixTimestamp64Milli({afterMs:Int64})
    OR ${time} = fromUnixTimestamp64Milli({afterMs:Int64}) AND toString(${id}) > {afterId:String})`;
  const bounds = [after && position, until && `${time} <= fromUnixTimestamp64Milli({untilMs:Int64})`];
  const text = `SELECT ${buildArchivedSelectList(archived.entity, alias, properties)} FROM ${name} ${alias}
    WHERE ${[where, ...bounds.filter((bound) => bound !== undefined)].join(" AND ")}
    ORDER BY ${time}, toString(${id}) LIMIT ${limit}`;
  const rows = await stores.query<Record<string, unknown>>(call, ranges, text, {
    ...parameters,
    ...(after && { afterMs: after.createdAt.getTime(), afterId: after.id }),
    ...(until && { untilMs: until.getTime() }),
  });
  return archivedRows(archived.entity, rows);
}

function latest(...dates: (Date | undefined)[]): Date | undefined {
  const times = dates.flatMap((date) => date?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

/** Tables that a list may read, with the list's own table first: its ranges determine whether there is anything to read. */
function readableTables<Row>({ entity }: ArchivedList<Row & object>, own: ArchivedRanges, byKind: RangesByKind) {
  const name = String(entity.options.tableName);
  const tables = archiveKinds.flatMap((kind) => archivedTables[kind].map((table) => [table, byKind[kind]] as const));
  return { name, ranges: { [name]: own, ...Object.fromEntries(tables.filter(([table]) => table !== name)) } };
}

/** Compares UUIDs as text, since ClickHouse sorts them by their second half. Nulls sort last, as in PostgreSQL. */
function sortedBy({ id }: { readonly id: string }, column: string, direction: "ASC" | "DESC"): string {
  const last = `toString(${id}) ${direction}`;
  return column === id ? last : `${column} ${direction} NULLS ${direction === "DESC" ? "FIRST" : "LAST"}, ${last}`;
}

/** Builds the filters' predicates in ClickHouse SQL. */
function buildPredicates<Row extends object>(list: List<Row>, archived: ArchivedList<Row>, filters: Filters) {
  const present = Object.entries(filters).filter(([, value]) => (value ?? null) !== null);
  for (const [name] of present) {
    const field = archived.unavailable?.[name];
    if (field !== undefined)
      throw invalidField([field], "The archive does not support this filter: remove it, or remove `store`");
  }
  const texts: Readonly<Record<string, string>> = { ...list.where, ...archived.where };
  const predicates = present.flatMap(([name]) => {
    const text = texts[name];
    return text === undefined ? [] : `(${typed(list.alias, archived.entity, text).replaceAll("{?:", `{${name}:`)})`;
  });
  return { where: predicates.join(" AND ") || "true", parameters: Object.fromEntries(present) };
}

/** Adds the column's type to a predicate on one column, such as `t.status = ANY (?)`. */
function typed(alias: string, entity: EntitySchema<never> | EntitySchema<object>, text: string): string {
  if (text.includes("{?:")) return text;
  const [, name] = new RegExp(`^${alias}\\."?(\\w+)"? `).exec(text) ?? [];
  const column = columnList(entity as EntitySchema).find((each: Column) => each.name === `"${name}"`);
  if (column === undefined) throw new Error(`declare the archive's predicate for ${text}: it is not on one column`);
  const type = columnType(column).name;
  return text.replace("= ANY (?)", `IN {?:Array(${type})}`).replace(/ \?$/, ` {?:${type}}`);
}

function toDate(value: unknown): Date | undefined {
  return value instanceof Date ? value : undefined;
}
