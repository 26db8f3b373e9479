// Compiles plans to SQL. Groups have `group_0`, `group_1`, …, `rows` and the aggregates (aggregates.ts). Whole days
// come from a rollup, other rows from the source (rollup.ts). Archived data is passed in (compile-archive.ts).

import { Parameters } from "@ems/kit/db/parameters";
import { type Column, isOnTimeline } from "../sources/index.ts";
import {
  type Aggregate,
  fromParts,
  fromRollup,
  fromRows,
  listAggregates,
  measureOrder,
  toNames,
} from "./aggregates.ts";
import type { Bucket } from "./dates.ts";
import type { Grouping, Order, Plan } from "./plan.ts";
import { instant, rollupPredicate, rowPredicate } from "./predicates.ts";
import { type DaySplit, type Edge, matchingRows } from "./rollup.ts";

/** A statement with its values. */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Aggregates = readonly Aggregate[];

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
      ON s.application_id = $1::uuid AND s.created_at = page.created_at AND s.id = page.id
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
  const sign = archived === undefined ? [] : ["1 AS sign"];
  const groups = `
    SELECT ${[...keys, ...sign, "count(*) AS rows", ...fromRows(aggregates)].join(", ")}
    FROM ${plan.source.from}
    WHERE ${rowPredicate(plan, parameters)}
    ${groupBy(keys.length)}`;
  if (archived === undefined) return compilePage(plan, groups, parameters);
  return compilePage(plan, sumParts(plan, [groups, archivedRows(plan, aggregates, archived, parameters)]), parameters);
}

/** Adds up groups from their `parts`, some of which are subtracted. */
function sumParts(plan: Plan, parts: readonly string[]): string {
  const keys = groupNames(plan);
  return `
    SELECT ${[...keys, "coalesce(sum(sign * rows), 0) AS rows", ...fromParts(listAggregates(plan.measures), "sign")].join(", ")}
    FROM (${parts.join(" UNION ALL ")}) part
    ${groupBy(keys.length)} ${keys.length > 0 ? "HAVING sum(sign * rows) > 0" : ""}`;
}

function archivedRows(
  { groupings }: Plan,
  aggregates: Aggregates,
  groups: readonly ArchivedRow[],
  parameters: Parameters,
): string {
  return unnest(groups, parameters, [
    ...groupings.map(({ column }, at): [string, string] => [`group_${at}`, getType(column)]),
    ["sign", "integer"],
    ["rows", "bigint"],
    ...toNames(aggregates).map((name): [string, string] => [name, /^s(um|quares)_/.test(name) ? "numeric" : "bigint"]),
  ]);
}

/** Compiles a page from `groups`, a statement that returns the groups. */
function compilePage(plan: Plan, groups: string, parameters: Parameters): Compiled {
  const aggregates = listAggregates(plan.measures);
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = [...groupNames(plan), "rows", ...toNames(aggregates), "count(*) OVER () AS total"];
  const order = plan.order.map((term) => orderTerm(plan, term, aggregates));
  const orderBy = order.length > 0 ? `ORDER BY ${order.join(", ")}` : "";
  const text = `SELECT ${columns.join(", ")} FROM (${groups}) grouped ${orderBy} ${limit}`;
  return { text, values: parameters.values };
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

/** Compiles a page of groups from a rollup. Each result has `total`, the number of groups. */
export function compileRollupGroups(
  applicationId: string,
  plan: Plan,
  { wholeDays, edges }: DaySplit,
  archived: readonly ArchivedRow[] = [],
): Compiled {
  const parameters = new Parameters(applicationId);
  const aggregates = listAggregates(plan.measures);
  const parts = [
    ...(wholeDays.length > 0 || edges.length === 0 ? [dayRows(plan, aggregates, wholeDays, parameters)] : []),
    ...(edges.length > 0 ? [edgeRows(plan, aggregates, edges, parameters)] : []),
    ...(archived.length > 0 ? [archivedRows(plan, aggregates, archived, parameters)] : []),
  ];
  return compilePage(plan, sumParts(plan, parts), parameters);
}

const dayMs = 86_400_000;

type WholeDays = DaySplit["wholeDays"];

function dayRows(plan: Plan, aggregates: Aggregates, days: WholeDays, parameters: Parameters): string {
  const { source, groupings } = plan;
  if (source.rollup === undefined) throw new Error(`${source.id} has no rollup`);
  const { view, dimensions, sums } = source.rollup;
  const hasBuckets = groupings.some(({ column }) => isOnTimeline(source, column));
  const bucket = hasBuckets ? bucketOfDay(days, parameters) : undefined;
  const keySql = (column: Column) => (bucket && isOnTimeline(source, column) ? bucket : dimensions[column.id]);
  const keys = groupings.map(({ column }, at) => `${keySql(column)} AS group_${at}`);
  const bounds = hasBuckets ? dayBounds(days, parameters) : anyOf(days.map((day) => dayBounds([day], parameters)));
  const predicates = [rollupPredicate(plan, parameters), bounds, ...(bucket ? [`${bucket} <> ${noBucket}`] : [])];
  return `
    SELECT ${[...keys, "1 AS sign", `sum(${matchingRows(plan)}) AS rows`, ...fromRollup(aggregates, sums)].join(", ")}
    FROM ${view}
    WHERE ${predicates.join(" AND ")}
    ${groupBy(keys.length)}`;
}

/** Stands for a day in no bucket. Not null, because PostgreSQL finds an element of an array without nulls faster. */
const noBucket = "'-infinity'";

/** Builds the SQL for the start of the bucket of a rollup row, from an array that is indexed by day. */
function bucketOfDay(days: WholeDays, parameters: Parameters): string {
  const [first = 0, end = 0] = [days[0]?.from, days.at(-1)?.to];
  const day = (ms: number) => Math.round((ms - first) / dayMs);
  const starts = new Array<string>(Math.max(0, day(end))).fill("-infinity");
  for (const { from, to, bucket } of days) if (bucket !== null) starts.fill(instant(bucket), day(from), day(to));
  const list = parameters.add(starts, "timestamptz[]");
  return `(${list})[1 + (r.day - ${parameters.add(toDate(first), "date")})]`;
}

function anyOf(predicates: readonly string[]): string {
  return predicates.length > 0 ? `(${predicates.map((predicate) => `(${predicate})`).join(" OR ")})` : "false";
}

/** Builds the condition for days from the first to the last one. */
function dayBounds(days: WholeDays, parameters: Parameters): string {
  const [from = 0, to = 0] = [days[0]?.from, days.at(-1)?.to];
  const bounds = [
    ...(Number.isFinite(from) ? [`r.day >= ${parameters.add(toDate(from), "date")}`] : []),
    ...(Number.isFinite(to) ? [`r.day < ${parameters.add(toDate(to), "date")}`] : []),
  ];
  return bounds.length > 0 ? bounds.join(" AND ") : "true";
}

function toDate(ms: number): string {
  const text = instant(ms);
  return text.includes("infinity") ? text : text.slice(0, 10);
}

/** Selects each edge's groups for the bucket that gains them, and with sign -1 for the bucket that loses them. */
function edgeRows(plan: Plan, aggregates: Aggregates, edges: readonly Edge[], parameters: Parameters): string {
  const { source, groupings } = plan;
  const list = (value: (edge: Edge) => unknown, type: string) => parameters.add(edges.map(value), `${type}[]`);
  const moment = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : instant(ms));
  const columns = [
    list((edge) => instant(edge.from), "timestamptz"),
    list((edge) => instant(edge.to), "timestamptz"),
    list((edge) => edge.addTo !== undefined, "boolean"),
    list((edge) => moment(edge.addTo), "timestamptz"),
    list((edge) => edge.subtractFrom !== undefined, "boolean"),
    list((edge) => moment(edge.subtractFrom), "timestamptz"),
  ];
  const onTimeline = ({ column }: Pick<Grouping, "column">) => isOnTimeline(source, column);
  const inner = groupings.flatMap((key, at) => (onTimeline(key) ? [] : [`${key.column.sql} AS group_${at}`]));
  const keys = groupings.map((key, at) => (onTimeline(key) ? `side.bucket AS group_${at}` : `edge.group_${at}`));
  const predicate = rowPredicate(plan, parameters, onTimeline);
  // OFFSET 0 is an optimization fence, so that each edge is read once instead of once per side.
  return `
    SELECT ${[...keys, "side.sign", "edge.rows", ...toNames(aggregates).map((name) => `edge.${name}`)].join(", ")}
    FROM (
      SELECT bounds.*, groups.*
      FROM unnest(${columns.join(", ")}) bounds (starts, ends, is_added, add_to, is_subtracted, subtract_from)
        CROSS JOIN LATERAL (
          SELECT ${[...inner, "count(*) AS rows", ...fromRows(aggregates)].join(", ")}
          FROM ${source.from}
          WHERE ${predicate} AND s.created_at >= bounds.starts AND s.created_at < bounds.ends
          ${groupBy(inner.length)}
        ) groups
      OFFSET 0
    ) edge JOIN LATERAL (VALUES (edge.is_added, edge.add_to, 1), (edge.is_subtracted, edge.subtract_from, -1))
      side (applies, bucket, sign) ON side.applies`;
}
