// SQL of list pages: one statement, so that page and total come from one snapshot and one round trip.

import {
  buildIntervals,
  buildPlace,
  buildTotal,
  type CountSource,
  hidden,
  rowsAhead,
  type TimeRange,
} from "./list-counts.ts";
import type { Page } from "./page.ts";
import { Parameters } from "./parameters.ts";

export interface ListTexts {
  readonly alias: string;
  readonly columns: string;
  readonly from: string;
  /** Predicates by filter name; `?` stands for the value, `$1` for the tenant. */
  readonly where: Readonly<Record<string, string>>;
  readonly tenant: string;
  readonly id: string;
  /** Columns that identify a row within its tenant. */
  readonly key: readonly string[];
  readonly join: string;
  readonly fits: string;
  /** True if the page's keys are found first, and its rows are read by key. */
  readonly isFilled: boolean;
  /** Column of the ids that a search returns, and the function that searches; undefined without search. */
  readonly search: { readonly id: string; readonly find: string } | undefined;
  readonly counts: ListCounts | undefined;
}

/** Row counts of a list's table. */
export interface ListCounts {
  /** Name of the count table: the name of the entity's table, followed by `_count`. */
  readonly table: string;
  /** Name of the entity's table, followed by its alias. */
  readonly rows: string;
  /** Columns of counted times, by the `orderBy` values that sort by them. */
  readonly times: Readonly<Record<string, string>>;
  /** Filters whose values are counted separately. */
  readonly groups: readonly string[];
  /** Counted time that the filters `from` and `until` limit, if the list has them. */
  readonly range: string | undefined;
}

export interface PageOptions {
  readonly tenant: string;
  /** Values by filter name; null and undefined do not filter. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly search?: string | undefined;
  /** SQL that computes the number of matching rows from other sums, if the caller has them. */
  readonly total?: ((parameters: Parameters) => string) | undefined;
}

export interface PageText {
  readonly text: string;
  readonly values: unknown[];
  /** Names of the active filters. */
  readonly names: readonly string[];
}

/** SQL of a page's rows with the list's `total`. For an empty page, one row without an id has the total. */
export function pageText(list: ListTexts, page: Page, options: PageOptions): PageText {
  const parameters = new Parameters(options.tenant);
  const predicates = buildPredicates(list, options.filters, parameters);
  const where = [`${list.tenant} = $1`, ...predicates.map(({ text }) => text)].join(" AND ");
  const skip = parameters.add(page.skip, "bigint");
  const plan = buildPlan(list, page, options, { where, predicates, skip, parameters });
  const text =
    options.search === undefined && !list.isFilled ? selectRows(list, page, plan) : selectFilledRows(list, page, plan);
  return { text, values: parameters.values, names: predicates.map(({ name }) => name) };
}

interface Predicate {
  readonly name: string;
  readonly text: string;
}

/** Builds the predicates of the active filters. */
export function buildPredicates(list: ListTexts, filters: PageOptions["filters"], parameters: Parameters): Predicate[] {
  return Object.entries(list.where).flatMap(([name, text]) => {
    const value = filters[name] ?? null;
    if (value === null) return [];
    const placeholder = parameters.add(value);
    if (list.counts?.groups.includes(name)) return { name, text: text.replaceAll("?", hidden(placeholder, "text[]")) };
    if (value instanceof Date) return { name, text: text.replaceAll("?", hidden(placeholder, "timestamptz")) };
    return { name, text: text.replaceAll("?", placeholder) };
  });
}

/** Source of a page's rows and of the total. */
interface Plan {
  /**
   * Queries of the statement's WITH clause. The query `counted` has one row with the `total`, and for pages after a
   * cursor with `rest`, the number of rows after it, at most one more than the page has.
   */
  readonly queries: readonly string[];
  /** SQL of the page's rows in order: `columns`, `sort_key` and `sort_id`. */
  readonly page: (columns: string) => string;
}

interface Parts {
  readonly where: string;
  readonly predicates: readonly Predicate[];
  readonly skip: string;
  readonly parameters: Parameters;
}

function buildPlan(list: ListTexts, page: Page, options: PageOptions, parts: Parts): Plan {
  const { from, alias, id } = list;
  const { where, predicates, skip, parameters } = parts;
  const rows = (columns: string, place = from, condition = where, key = page.column) =>
    `SELECT ${columns}, ${key} AS sort_key, ${id} AS sort_id FROM ${place} WHERE ${condition} ORDER BY ${sortedBy(page)}`;
  const plain = (columns: string) => `${rows(columns)} LIMIT ${page.limit} OFFSET ${skip}`;
  if (options.search !== undefined) {
    const found = buildFound(list, page, where, parameters.add(options.search));
    const key = `${alias}.found_key`;
    const after = isAfter(page, key, id, parameters) ?? "true";
    const rest = page.after && `, ${countRest(`found ${alias}`, after, page)}`;
    const counted = `counted AS (SELECT (SELECT count(*) FROM found)::int AS total${rest ?? ""})`;
    const foundRows = (columns: string) => rows(columns, `found ${alias}`, after, key);
    return { queries: [found, counted], page: (columns) => `${foundRows(columns)} LIMIT ${page.limit} OFFSET ${skip}` };
  }
  const counts = options.total === undefined ? buildCounted(list, predicates, options.filters) : undefined;
  const total =
    counts === undefined
      ? (options.total?.(parameters) ?? `SELECT count(*) FROM ${from} WHERE ${where}`)
      : buildTotal(counts.source, counts.range, parameters);
  const after = isAfter(page, page.column, id, parameters);
  if (after !== undefined) {
    const rest = countRest(from, `${where} AND ${after}`, page);
    const afterRows = (columns: string) => rows(columns, from, `${where} AND ${after}`);
    return {
      queries: [`counted AS MATERIALIZED (SELECT (${total})::int AS total, ${rest})`],
      page: (columns) => `${afterRows(columns)} LIMIT ${page.limit} OFFSET ${skip}`,
    };
  }
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
      `place AS MATERIALIZED (${buildPlace(source, column, page.direction, { first, last })})`,
      `interval AS MATERIALIZED (${buildIntervals(source, column)})`,
    ],
    page: (columns) => {
      const inInterval = `${where} AND ${alias}."${column}" >= interval.low AND ${alias}."${column}" < interval.high`;
      return `SELECT one.* FROM interval, LATERAL (${rows(columns, from, inInterval)} LIMIT ${page.limit} + ${offset}) one
        ORDER BY ${sortedBy(page)} LIMIT ${page.limit} OFFSET ${offset}`;
    },
  };
}

/** Condition on rows after the page's cursor, undefined without one. PostgreSQL sorts nulls as the largest values. */
function isAfter(page: Page, column: string, id: string, parameters: Parameters): string | undefined {
  if (page.after === undefined) return undefined;
  const operator = page.direction === "ASC" ? ">" : "<";
  const ofId = `${id} ${operator} ${parameters.add(page.after.id)}`;
  if (page.after.key === null) {
    const sameKey = `(${column} IS NULL AND ${ofId})`;
    return page.direction === "ASC" ? sameKey : `(${sameKey} OR ${column} IS NOT NULL)`;
  }
  const placed = `(${column}, ${id}) ${operator} (${parameters.add(page.after.key)}, $${parameters.values.length - 1})`;
  return page.isNullable && page.direction === "ASC" ? `(${placed} OR ${column} IS NULL)` : placed;
}

function countRest(from: string, where: string, { limit }: Page): string {
  return `(SELECT count(*) FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${limit + 1}) one)::int AS rest`;
}

function sortedBy({ direction }: Page, of = ""): string {
  return `${of}sort_key ${direction}, ${of}sort_id ${direction}`;
}

/** A search may match most of the tenant's rows, so page and total come from one pass. */
function buildFound({ alias, from, key, search }: ListTexts, { column }: Page, where: string, text: string): string {
  if (search === undefined) throw new Error(`${from} is not searched`);
  return `found AS MATERIALIZED (
      SELECT ${key.map((name) => `${alias}.${name}`).join(", ")}, ${column} AS found_key FROM ${from}
      WHERE ${where} AND ${search.id} = ANY (ARRAY(SELECT ${search.find}(${text}))))`;
}

/** Reads the page's rows directly. */
function selectRows({ columns }: ListTexts, page: Page, plan: Plan): string {
  return `WITH ${plan.queries.join(", ")}
    SELECT page.*, page.sort_key::text AS sort_text, counted.* FROM counted LEFT JOIN (${plan.page(columns)}) page ON true
    ORDER BY ${sortedBy(page, "page.")}`;
}

/** Finds the page's keys first, if rows are large or joined with expensive relations. */
function selectFilledRows(
  { alias, from, columns, tenant, key, join, fits }: ListTexts,
  page: Page,
  plan: Plan,
): string {
  const keys = key.map((name) => `${alias}.${name}`).join(", ");
  const isKey = key.map((name) => ` AND ${alias}.${name} = page.${name}`).join("");
  return `WITH ${plan.queries.join(", ")}, page AS (${plan.page(keys)})
    SELECT ${columns}, page.sort_key, page.sort_id, page.sort_key::text AS sort_text, counted.*
    FROM counted LEFT JOIN (page JOIN ${from} ON ${tenant} = $1${isKey} ${join}) ON ${fits}
    ORDER BY ${sortedBy(page, "page.")}`;
}

/** Reads the total from row counts, if they cover every filter. */
function buildCounted(
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
