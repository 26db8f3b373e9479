// Pages of lists whose rows are in PostgreSQL and, where they were dropped, in the archive: those of both in the list's order.

import type { EntitySchema } from "typeorm";
import { columnType } from "../archive/column-type.ts";
import { archivedColumnsOf } from "../archive/rows.ts";
import { clipped, type Stores } from "../archive/stores.ts";
import type { ArchiveKind, TableExtent } from "../archive/types.ts";
import { invalidFields } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { type Column, columnList } from "./columns.ts";
import type { ListTexts } from "./list-texts.ts";
import type { Page } from "./page.ts";

export interface ListArchive {
  readonly kind: ArchiveKind;
  /** Predicates of ClickHouse, `{?:UUID}` being the value: of filters whose text is another one there, or that only it has. */
  readonly where?: Readonly<Record<string, string>>;
  /** When the rows were created that match the filters `from` and `until`; by default between these. */
  readonly created?: (from?: Date, until?: Date) => readonly (Date | undefined)[];
}

/** A list whose rows may be in the archive. */
export interface ArchivedList extends Pick<ListTexts, "alias" | "where" | "id"> {
  readonly entity: EntitySchema;
  readonly archive: ListArchive;
}

type Filters = Readonly<Record<string, unknown>>;

/** How an order's rows follow each other: what is compared, `sort_key` before `sort_id`. */
interface Sorted {
  readonly sort_key: unknown;
  readonly sort_id: string;
}

/** PostgreSQL's part of a list, in one snapshot with what was dropped. */
export interface OwnPage {
  /** Rows with `sort_key` and `sort_id`. */
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly dropped: TableExtent;
  /** In the order of `createdAt`: no row is older than the end of the last dropped interval. */
  readonly isNewer: boolean;
}

/** What the archive's predicates need of other tables. */
export interface ArchivedFilters {
  /** Values, instead of the filters' and beside them; only read where the archive is asked. */
  readonly filters: () => Promise<Filters>;
  readonly extents?: Readonly<Record<string, TableExtent>> | undefined;
}

export interface MergeOptions {
  readonly list: ArchivedList;
  readonly stores: Stores;
  readonly call: Call;
  readonly page: Page;
  readonly filters: Filters;
  readonly archived: ArchivedFilters | undefined;
  /** Times in which the total counts PostgreSQL's rows, of one that knows the others; undefined: it counts them everywhere. */
  readonly counted: readonly Times[] | undefined;
  readonly read: (page: Page, columns: "all" | "keys") => Promise<OwnPage>;
}

export interface Times {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** How many rows before a page are compared where both stores have rows before and after each other's. */
const mergedMax = 100_000;

/** The page of both. Reads no more than PostgreSQL's part where nothing was dropped that the filters match. */
export async function mergedPage(options: MergeOptions): Promise<{ rows: readonly unknown[]; total: number }> {
  const { list, page, filters, counted, read } = options;
  const { created = (from, until) => [from, until] } = list.archive;
  const [since, until] = created(asDate(filters.from), asDate(filters.until));
  const first = await read(page, "all");
  const dropped = clipped(first.dropped, since, until);
  if (dropped.intervals.length === 0) return first;

  const { limit, direction } = page;
  const skip = Number(page.skip);
  const isBefore = first.isNewer && direction === "DESC";
  const edges = (counted ?? [{}]).flatMap((edge) => clipped(dropped, edge.from, edge.until).intervals);
  const isFull = isBefore && first.rows.length === limit;
  if (isFull && edges.length === 0) return first;
  const archive = await archivedRowsOf(options, dropped);
  const [theirs, uncounted] = await Promise.all([
    archive.count(dropped.intervals),
    counted === undefined ? undefined : archive.count(edges),
  ]);
  const total = first.total + (uncounted ?? theirs);
  if (isFull) return { rows: first.rows, total };

  const compare = comparison(list, page);
  /** How many of the rows before the page are PostgreSQL's. */
  const rank = async () => {
    if (skip > mergedMax) {
      const message = `At most ${mergedMax.toLocaleString("en")} in this order while rows are in the archive`;
      throw invalidFields([{ path: ["skip"], message }]);
    }
    const before = { ...page, skip: 0n, limit: skip };
    const [own, other] = await Promise.all([read(before, "keys"), archive.keys(skip)]);
    const all = [...own.rows.map((row) => ({ row, isOwn: true })), ...other.map((row) => ({ row, isOwn: false }))];
    all.sort((a, b) => compare(a.row, b.row));
    return { count: all.slice(0, skip).filter(({ isOwn }) => isOwn).length, dropped: own.dropped };
  };
  const ranked = first.isNewer || skip === 0 ? undefined : await rank();
  const own = ranked?.count ?? (isBefore ? Math.min(skip, total - theirs) : Math.max(0, skip - theirs));
  const [ownPage, others] = await Promise.all([
    own === skip ? first : read({ ...page, skip: BigInt(own) }, "all"),
    archive.rows(skip - own, limit),
  ]);
  // What was dropped meanwhile is in neither part, and what came back in both.
  const stateOf = ({ dropped: { intervals, returned } }: Pick<OwnPage, "dropped">) =>
    JSON.stringify([intervals, returned]);
  const isSame = (part: Pick<OwnPage, "dropped">) => stateOf(part) === stateOf(first);
  if (![ranked ?? first, ownPage].every(isSame)) return mergedPage(options);
  return { rows: [...ownPage.rows, ...others].sort(compare).slice(0, limit), total };
}

/** The archive's part of a list. */
async function archivedRowsOf({ list, stores, call, page, filters, archived }: MergeOptions, dropped: TableExtent) {
  const { alias, entity, id } = list;
  const { where, parameters } = predicatesOf(list, { ...filters, ...(await archived?.filters()) });
  const from = `${entity.options.tableName} ${alias}`;
  const order = sortedBy(list, page);
  const query = <Row extends object>(text: string, intervals = dropped.intervals) =>
    stores.readDroppedRows(
      call,
      entity as EntitySchema<Row>,
      { ...dropped, intervals },
      text,
      parameters,
      archived?.extents,
    );
  return {
    count: async (intervals: TableExtent["intervals"]): Promise<number> => {
      const [row] = await query<{ rows: string }>(`SELECT count() AS rows FROM ${from} WHERE ${where}`, intervals);
      return Number(row?.rows ?? 0);
    },
    keys: (limit: number) =>
      query<Sorted>(`SELECT ${order.columns} FROM ${from} WHERE ${where} ORDER BY ${order.by} LIMIT ${limit}`),
    // Other columns are read of the page's rows alone.
    rows: (skip: number, limit: number) =>
      query<Sorted>(`SELECT ${archivedColumnsOf(entity, alias)}, ${order.columns} FROM ${from}
        WHERE (${alias}.created_at, ${id}) IN (SELECT ${alias}.created_at, ${id} FROM ${from} WHERE ${where}
          ORDER BY ${order.by} LIMIT ${limit} OFFSET ${skip})
        ORDER BY ${order.by}`),
  };
}

/** ClickHouse sorts UUIDs by their second half. */
function sortedBy(list: ArchivedList, { property, column, direction }: Page) {
  const isId = column === list.id;
  const id = `toString(${list.id})`;
  const nulls = direction === "DESC" ? "FIRST" : "LAST";
  const terms = isId ? [id] : [`${column} ${direction} NULLS ${nulls}`, id];
  const stored = columnOf(list, property);
  const key = isId ? id : stored === undefined ? column : columnType(stored).selected(column);
  return { by: `${terms.join(", ")} ${direction}`, columns: `${key} AS sort_key, ${id} AS sort_id` };
}

function columnOf({ entity }: ArchivedList, property: string): Column | undefined {
  return columnList(entity).find((column) => column.property === property);
}

/** As PostgreSQL orders: null comes after all. */
function comparison(list: ArchivedList, { property, direction }: Page): (a: unknown, b: unknown) => number {
  const type = columnOf(list, property)?.type;
  const sign = direction === "ASC" ? 1 : -1;
  const comparableOf = (key: unknown) => {
    if (type === "timestamptz") return Number(key);
    return type === "bigint" ? BigInt(String(key)) : (key as string | number | boolean);
  };
  return (one, other) => {
    // Both stores' statements select these.
    const [a, b] = [one as Sorted, other as Sorted];
    const byNull = byValue(a.sort_key === null, b.sort_key === null);
    const byKey =
      a.sort_key === null || b.sort_key === null ? 0 : byValue(comparableOf(a.sort_key), comparableOf(b.sort_key));
    return sign * (byNull || byKey || byValue(a.sort_id, b.sort_id));
  };
}

function byValue<Value extends string | number | bigint | boolean>(a: Value, b: Value): number {
  return Number(a > b) - Number(a < b);
}

/** The filters' predicates as ClickHouse writes them. */
function predicatesOf(list: ArchivedList, filters: Filters) {
  const texts = { ...list.where, ...list.archive.where };
  const used = Object.entries(texts).filter(([name]) => (filters[name] ?? null) !== null);
  const predicates = used.map(([name, text]) => typed(list, text).replaceAll("{?:", `{${name}:`));
  return {
    where: predicates.map((text) => `(${text})`).join(" AND ") || "true",
    parameters: Object.fromEntries(Object.entries(filters).filter(([, value]) => (value ?? null) !== null)),
  };
}

/** A predicate on one column, `t.status = ANY (?)`, with the column's type. */
function typed({ alias, entity }: ArchivedList, text: string): string {
  if (text.includes("{?:")) return text;
  const [, name] = new RegExp(`^${alias}\\."?(\\w+)"? `).exec(text) ?? [];
  const column = columnList(entity).find((one) => one.name === `"${name}"`);
  if (column === undefined) throw new Error(`the archive needs a text of its own for ${text}`);
  const type = columnType(column).name;
  return text.replace("= ANY (?)", `IN {?:Array(${type})}`).replace(/ \?$/, ` {?:${type}}`);
}

function asDate(value: unknown): Date | undefined {
  return value instanceof Date ? value : undefined;
}
