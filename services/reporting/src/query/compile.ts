// Compiles plans to SQL. Groups have `group_0`, `group_1`, …, `rows` and the aggregates (aggregates.ts). Archived
// data is passed in (compile-archive.ts).

import { Parameters } from "@ems/kit/db/parameters";
import type { Column } from "../sources/index.ts";
import { type Aggregate, fromParts, fromRows, listAggregates, measureOrder, toNames } from "./aggregates.ts";
import type { Bucket } from "./dates.ts";
import {
  histogramOfRows,
  isPercentile,
  listHistograms,
  percentileBuckets,
  percentileName,
  rankBuckets,
} from "./histogram.ts";
import type { Grouping, Order, Plan } from "./plan.ts";
import { instant, rowPredicate } from "./predicates.ts";

/** A statement with its values. */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Aggregates = readonly Aggregate[];

/** A group from the archive, with the `sign` of its part, or a candidate for a page. Times are in milliseconds. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/**
 * Compiles a page of rows, with columns `column_0`, `column_1`, … Finds the keys first, and reads only those rows in
 * full. With archived `candidates`, rows have `key` and `created`; those only in the archive have no other columns.
 */
export function compileRows(applicationId: string, plan: Plan, candidates?: readonly ArchivedRow[]): Compiled {
  const parameters = new Parameters(applicationId);
  const { source } = plan;
  const terms = rowOrder(plan);
  const orderBy = formatOrder(terms);
  const limited = (limit: number) => `LIMIT ${parameters.add(limit, "bigint")}`;
  const selected = terms.map(({ column, name }) => `${collated(column, column.sql)} AS ${name}`);
  // All terms of the order's end are the rest of the key.
  const isSameKey = terms
    .flatMap(({ column, name }) => (source.key?.includes(column.id) ? [`AND ${column.sql} = page.${name}`] : []))
    .join(" ");
  const rows = (limit: string) => `SELECT s.created_at, s.id, ${selected.join(", ")}
      FROM ${source.from} WHERE ${rowPredicate(plan, parameters)} ${orderBy} ${limit}`;
  const offset = `OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = source.columns.map(({ sql }, at) => `${sql} AS column_${at}`);
  let page: string;
  if (candidates === undefined) {
    page = `${rows(limited(plan.limit))} ${offset}`;
  } else {
    const archived = unnest(candidates, parameters, [
      ["created", "timestamptz"],
      ["key", "uuid"],
      ...terms.map(({ column, name }): [string, string] => [name, getType(column)]),
    ]);
    page = `SELECT * FROM ((${rows(limited(plan.skip + plan.limit))}) UNION ALL ${archived}) candidate
      ${orderBy} ${limited(plan.limit)} ${offset}`;
    columns.push("page.created_at AS created", "page.id AS key");
  }
  const text = `
    WITH page AS MATERIALIZED (${page})
    SELECT ${columns.join(", ")}
    FROM page ${candidates === undefined ? "" : "LEFT "}JOIN ${source.from}
      ON s.application_id = $1::uuid AND s.created_at = page.created_at AND s.id = page.id ${isSameKey}
    ${orderBy}`;
  return { text, values: parameters.values };
}

/** Returns the columns by which rows are sorted, with their names in the statement. */
export function rowOrder({ order }: Plan) {
  return order.map((term, at) => {
    if (!("column" in term)) throw new Error("rows are ordered by columns");
    const { column, isDescending } = term;
    const direction = `${isDescending ? "DESC" : "ASC"}${column.isNullable ? " NULLS LAST" : ""}`;
    return { column, name: `order_${at}`, direction };
  });
}

export function formatOrder(terms: ReturnType<typeof rowOrder>): string {
  return `ORDER BY ${terms.map(({ name, direction }) => `${name} ${direction}`).join(", ")}`;
}

/** Returns the buckets for a grouping by date. */
export type GetBuckets = (grouping: Grouping) => readonly Bucket[];

/** Compiles a page of groups from rows and optional archived groups. Each result has `total`, the number of groups. */
export function compileGroups(
  applicationId: string,
  plan: Plan,
  getBuckets: GetBuckets,
  archived?: readonly ArchivedRow[],
): Compiled {
  const parameters = new Parameters(applicationId);
  const aggregates = listAggregates(plan.measures);
  const keys = plan.groupings.map((grouping, at) => {
    const { column, trunc } = grouping;
    return `${trunc === undefined ? column.sql : bucketStart(column.sql, getBuckets(grouping), parameters)} AS group_${at}`;
  });
  const { buckets, hits } = histogramOfRows(listHistograms(plan.measures));
  keys.push(...buckets);
  const sign = archived === undefined ? [] : ["1 AS sign"];
  const groups = `
    SELECT ${[...keys, ...sign, "count(*) AS rows", ...fromRows(aggregates), ...hits].join(", ")}
    FROM ${plan.source.from}
    WHERE ${rowPredicate(plan, parameters)}
    ${groupBy(keys.length)}`;
  if (archived === undefined) return compilePage(plan, groups, parameters);
  return compilePage(plan, sumParts(plan, [groups, archivedRows(plan, aggregates, archived, parameters)]), parameters);
}

/** Adds up groups from their `parts`, some of which are subtracted. */
export function sumParts(plan: Plan, parts: readonly string[]): string {
  const histograms = listHistograms(plan.measures);
  const keys = [...groupNames(plan), ...histograms.map(({ bucket }) => bucket)];
  const hits = histograms.map((histogram) => `sum(sign * ${histogram.hits}) AS ${histogram.hits}`);
  // Percentiles need buckets without rows, which only count hits.
  const having = keys.length > 0 && histograms.length === 0 ? "HAVING sum(sign * rows) > 0" : "";
  return `
    SELECT ${[...keys, "coalesce(sum(sign * rows), 0) AS rows", ...fromParts(listAggregates(plan.measures), "sign"), ...hits].join(", ")}
    FROM (${parts.join(" UNION ALL ")}) part
    ${groupBy(keys.length)} ${having}`;
}

export function archivedRows(
  { groupings, measures }: Plan,
  aggregates: Aggregates,
  groups: readonly ArchivedRow[],
  parameters: Parameters,
): string {
  const histograms = listHistograms(measures);
  return unnest(groups, parameters, [
    ...groupings.map(({ column }, at): [string, string] => [`group_${at}`, getType(column)]),
    ...histograms.map(({ bucket }): [string, string] => [bucket, "integer"]),
    ["sign", "integer"],
    ["rows", "bigint"],
    ...aggregates.flatMap((aggregate) =>
      toNames([aggregate]).map((name): [string, string] => [name, getAggregateType(name, aggregate.column)]),
    ),
    ...histograms.map(({ hits }): [string, string] => [hits, "bigint"]),
  ]);
}

function getAggregateType(name: string, column: Column): string {
  if (/^s(um|quares)_/.test(name)) return "numeric";
  return /^m(in|ax)_/.test(name) ? getType(column) : "bigint";
}

/** Compiles a page from `groups`, a statement that returns the groups. */
export function compilePage(plan: Plan, groups: string, parameters: Parameters): Compiled {
  const aggregates = listAggregates(plan.measures);
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const histograms = listHistograms(plan.measures);
  const percentiles = plan.measures.filter(({ type }) => isPercentile(type)).map(percentileName);
  const columns = [...groupNames(plan), "rows", ...toNames(aggregates), ...percentiles, "count(*) OVER () AS total"];
  const order = plan.order.map((term) => orderTerm(plan, term, aggregates));
  const orderBy = order.length > 0 ? `ORDER BY ${order.join(", ")}` : "";
  const grouped = histograms.length === 0 ? groups : mergeBuckets(plan, groups);
  const text = `SELECT ${columns.join(", ")} FROM (${grouped}) grouped ${orderBy} ${limit}`;
  return { text, values: parameters.values };
}

/** Merges the buckets of each group to its percentiles. */
function mergeBuckets(plan: Plan, groups: string): string {
  const histograms = listHistograms(plan.measures);
  const keys = groupNames(plan);
  const aggregates = fromParts(listAggregates(plan.measures), "1");
  const select = [...keys, "coalesce(sum(rows), 0) AS rows", ...aggregates, ...percentileBuckets(histograms)];
  return `
    SELECT ${select.join(", ")}
    FROM (SELECT bucketed.*, ${rankBuckets(histograms, keys).join(", ")} FROM (${groups}) bucketed) ranked
    ${groupBy(keys.length)} ${keys.length > 0 ? "HAVING sum(rows) > 0" : ""}`;
}

function groupNames({ groupings }: Plan): string[] {
  return groupings.map((_, at) => `group_${at}`);
}

/** Groups by the first `count` columns of the select list. */
export function groupBy(count: number): string {
  return count > 0 ? `GROUP BY ${Array.from({ length: count }, (_, at) => at + 1).join(", ")}` : "";
}

function orderTerm({ groupings }: Plan, order: Order, aggregates: Aggregates): string {
  const direction = order.isDescending ? "DESC NULLS LAST" : "ASC NULLS LAST";
  if ("measure" in order) return `${measureOrder(order.measure, aggregates)} ${direction}`;
  if ("column" in order) throw new Error("groups are not ordered by a row's column");
  return `${collated(order.grouping.column, `group_${groupings.indexOf(order.grouping)}`)} ${direction}`;
}

/** Sorts texts by code point, whatever the locale of the database. */
function collated({ storage }: Column, sql: string): string {
  return storage.kind === "text" ? `${sql} COLLATE "C"` : sql;
}

/** Builds a part of the statement from values; times are in milliseconds. */
function unnest(
  rows: readonly ArchivedRow[],
  parameters: Parameters,
  columns: readonly [name: string, type: string][],
): string {
  const lists = columns.map(([name, type]) => {
    const values = rows.map(({ [name]: value = null }) =>
      value === null || type !== "timestamptz" ? value : instant(Number(value)),
    );
    return parameters.add(values, `${type}[]`);
  });
  const names = columns.map(([name]) => name).join(", ");
  return `SELECT ${names} FROM unnest(${lists.join(", ")}) archived (${names})`;
}

/** PostgreSQL types whose names differ from the storage kinds. */
const storageTypes: Readonly<Record<string, string>> = { double: "float8", scaled: "bigint", moment: "timestamptz" };

function getType({ storage }: Column): string {
  return storageTypes[storage.kind] ?? storage.kind;
}

/** Builds the SQL for the start of the bucket that contains the time `sql`. */
function bucketStart(sql: string, buckets: readonly Bucket[], parameters: Parameters): string {
  const starts = buckets.map(({ start }) => start);
  // No row is earlier than the first interval, so it may begin with its bucket. Then usually one list serves as both.
  const bounds = buckets.map(({ from, start }, at) => (at === 0 ? start : from));
  const list = (moments: readonly number[]) => parameters.add(moments.map(instant), "timestamptz[]");
  const boundList = list(bounds);
  const startList = starts.every((start, at) => start === bounds[at]) ? boundList : list(starts);
  return `(${startList})[width_bucket(${sql}, ${boundList})]`;
}
