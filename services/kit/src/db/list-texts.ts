// SQL of a list's pages: one statement, since it answers page and total of one state in one round trip.

import { type CountSource, hidden, intervalsOf, placeOf, rowsAhead, type TimeRange, totalOf } from "./list-counts.ts";
import type { Page } from "./page.ts";
import { Parameters } from "./parameters.ts";

export interface ListTexts {
  readonly alias: string;
  readonly columns: string;
  readonly from: string;
  /** Predicates by the names of filters; `?` stands for the value, `$1` for the tenant. */
  readonly where: Readonly<Record<string, string>>;
  readonly tenant: string;
  readonly id: string;
  /** Columns that identify a row within its tenant. */
  readonly key: readonly string[];
  readonly join: string;
  readonly fits: string;
  /** Whether the page's keys are found first, and its rows are read by them. */
  readonly isFilled: boolean;
  /** The ids by which texts are found, and the function that finds them; undefined when nothing is searched. */
  readonly search: { readonly id: string; readonly find: string } | undefined;
  readonly counts: ListCounts | undefined;
}

/** Row counts of a list's table. */
export interface ListCounts {
  /** The entity's table and `_count`. */
  readonly table: string;
  /** The entity's table, with its alias. */
  readonly rows: string;
  /** Columns of counted times, by the values of `orderBy` that sort by them. */
  readonly times: Readonly<Record<string, string>>;
  /** Filters whose values are counted apart. */
  readonly groups: readonly string[];
  /** The counted time that the filters `from` and `until` bound, for lists that have them. */
  readonly range: string | undefined;
}

export interface PageOptions {
  readonly tenant: string;
  /** Values by the names of filters; what is null or undefined does not filter. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly search?: string | undefined;
  /** SQL of the number of matching rows, where other sums have it. */
  readonly total?: ((parameters: Parameters) => string) | undefined;
}

export interface PageText {
  readonly text: string;
  readonly values: unknown[];
  /** The filters given. */
  readonly names: readonly string[];
}

/** The rows of a page with the list's `total`, which is on a row without an id when the page is empty. */
export function pageText(list: ListTexts, page: Page, options: PageOptions): PageText {
  const parameters = new Parameters(options.tenant);
  const predicates = predicatesOf(list, options.filters, parameters);
  const where = [`${list.tenant} = $1`, ...predicates.map(({ text }) => text)].join(" AND ");
  const skip = parameters.add(page.skip, "bigint");
  const plan = planOf(list, page, options, { where, predicates, skip, parameters });
  const text =
    options.search === undefined && !list.isFilled ? rowsOf(list, page, plan) : filledRowsOf(list, page, plan);
  return { text, values: parameters.values, names: predicates.map(({ name }) => name) };
}

interface Predicate {
  readonly name: string;
  readonly text: string;
}

function predicatesOf(list: ListTexts, filters: PageOptions["filters"], parameters: Parameters): Predicate[] {
  return Object.entries(list.where).flatMap(([name, text]) => {
    const value = filters[name] ?? null;
    if (value === null) return [];
    const placeholder = parameters.add(value);
    if (list.counts?.groups.includes(name)) return { name, text: text.replaceAll("?", hidden(placeholder, "text[]")) };
    if (value instanceof Date) return { name, text: text.replaceAll("?", hidden(placeholder, "timestamptz")) };
    return { name, text: text.replaceAll("?", placeholder) };
  });
}

/** Where a page's rows are found, and how many there are in all. */
interface Plan {
  /** WITH queries, among them `counted`, of one row with the `total`. */
  readonly queries: readonly string[];
  /** The page's rows in order: `columns`, `sort_key` and `sort_id`. */
  readonly page: (columns: string) => string;
}

interface Parts {
  readonly where: string;
  readonly predicates: readonly Predicate[];
  readonly skip: string;
  readonly parameters: Parameters;
}

function planOf(list: ListTexts, page: Page, options: PageOptions, parts: Parts): Plan {
  const { from, alias, id } = list;
  const { where, predicates, skip, parameters } = parts;
  const rows = (columns: string, place = from, condition = where, key = page.column) =>
    `SELECT ${columns}, ${key} AS sort_key, ${id} AS sort_id FROM ${place} WHERE ${condition} ORDER BY ${sortedBy(page)}`;
  const plain = (columns: string) => `${rows(columns)} LIMIT ${page.limit} OFFSET ${skip}`;
  if (options.search !== undefined) {
    const found = foundOf(list, page, where, parameters.add(options.search));
    const counted = "counted AS (SELECT count(*)::int AS total FROM found)";
    const foundRows = (columns: string) => rows(columns, `found ${alias}`, "true", `${alias}.found_key`);
    return { queries: [found, counted], page: (columns) => `${foundRows(columns)} LIMIT ${page.limit} OFFSET ${skip}` };
  }
  const counts = options.total === undefined ? countedOf(list, predicates, options.filters) : undefined;
  const total =
    counts === undefined
      ? (options.total?.(parameters) ?? `SELECT count(*) FROM ${from} WHERE ${where}`)
      : totalOf(counts.source, counts.range, parameters);
  const column = list.counts?.times[page.property];
  const isBounded = counts?.range.from !== undefined || counts?.range.until !== undefined;
  if (counts === undefined || column === undefined || (isBounded && column !== counts.range.column)) {
    return { queries: [`counted AS MATERIALIZED (SELECT (${total})::int AS total)`], page: plain };
  }
  const { source, range } = counts;
  const ahead = rowsAhead(source, range, page.direction, parameters);
  const first = `(SELECT ${skip} + skipped FROM counted)`;
  const last = `(SELECT least(${skip} + ${page.limit}, total) - 1 + skipped FROM counted)`;
  const offset = `(SELECT ${skip} - greatest(ahead - skipped, 0)::bigint FROM place, counted)`;
  return {
    queries: [
      `counted AS MATERIALIZED (SELECT (${total})::int AS total, (${ahead})::bigint AS skipped)`,
      `place AS MATERIALIZED (${placeOf(source, column, page.direction, { first, last })})`,
      `interval AS MATERIALIZED (${intervalsOf(source, column)})`,
    ],
    page: (columns) => {
      const inInterval = `${where} AND ${alias}."${column}" >= interval.low AND ${alias}."${column}" < interval.high`;
      return `SELECT one.* FROM interval, LATERAL (${rows(columns, from, inInterval)} LIMIT ${page.limit} + ${offset}) one
        ORDER BY ${sortedBy(page)} LIMIT ${page.limit} OFFSET ${offset}`;
    },
  };
}

function sortedBy({ direction }: Page, of = ""): string {
  return `${of}sort_key ${direction}, ${of}sort_id ${direction}`;
}

/** What is found may be most of the tenant's rows: page and total come of one pass. */
function foundOf({ alias, from, key, search }: ListTexts, { column }: Page, where: string, text: string): string {
  if (search === undefined) throw new Error(`${from} is not searched`);
  return `found AS MATERIALIZED (
      SELECT ${key.map((name) => `${alias}.${name}`).join(", ")}, ${column} AS found_key FROM ${from}
      WHERE ${where} AND ${search.id} = ANY (ARRAY(SELECT ${search.find}(${text}))))`;
}

/** The page's rows at once. */
function rowsOf({ columns }: ListTexts, page: Page, plan: Plan): string {
  return `WITH ${plan.queries.join(", ")}
    SELECT page.*, counted.total FROM counted LEFT JOIN (${plan.page(columns)}) page ON true
    ORDER BY ${sortedBy(page, "page.")}`;
}

/** The page's keys first, where rows are large, or joined with what is dear. */
function filledRowsOf({ alias, from, columns, tenant, key, join, fits }: ListTexts, page: Page, plan: Plan): string {
  const keys = key.map((name) => `${alias}.${name}`).join(", ");
  const isKey = key.map((name) => ` AND ${alias}.${name} = page.${name}`).join("");
  return `WITH ${plan.queries.join(", ")}, page AS (${plan.page(keys)})
    SELECT ${columns}, page.sort_key, page.sort_id, counted.total
    FROM counted LEFT JOIN (page JOIN ${from} ON ${tenant} = $1${isKey} ${join}) ON ${fits}
    ORDER BY ${sortedBy(page, "page.")}`;
}

/** What the total is read from, where row counts have every filter. */
function countedOf(
  { alias, counts, tenant }: ListTexts,
  predicates: readonly Predicate[],
  filters: Readonly<Record<string, unknown>>,
): { source: CountSource; range: TimeRange } | undefined {
  if (counts === undefined) return undefined;
  const { table, rows, groups, times, range } = counts;
  const inGroups = predicates.filter(({ name }) => groups.includes(name));
  const inRange = predicates.filter(({ name }) => range !== undefined && (name === "from" || name === "until"));
  const column = times[range ?? "createdAt"];
  if (column === undefined || inGroups.length + inRange.length < predicates.length) return undefined;
  const where = [`${tenant} = $1`, ...inGroups.map(({ text }) => text)].join(" AND ");
  const bound = (name: string) => (filters[name] instanceof Date && inRange.length > 0 ? filters[name] : undefined);
  return {
    source: { alias, counts: table, rows, where },
    range: { column, from: bound("from"), until: bound("until") },
  };
}
