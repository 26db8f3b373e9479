// Groups in SQL: from rows, or from sums by day and the rows at their edges. Either way a group's columns are `k0`, `k1`, …
// for what it is grouped by, `rows`, and the states of measured columns (states.ts).

import type { Column } from "../sources/source.ts";
import { conditions, instant, isOnTimeline, sumConditions } from "./conditions.ts";
import type { Tile } from "./dates.ts";
import { type Compiled, Parameters } from "./parameters.ts";
import type { Group, Plan } from "./plan.ts";
import type { Order } from "./plan-order.ts";
import { type Cut, type Edge, rowsOfSum } from "./rollup.ts";
import { fromParts, fromRows, fromSums, measureOrder, namesOf, type State, statesOf } from "./states.ts";

/** The buckets of a date column that the plan groups by. */
export type TilesOf = (group: Group) => readonly Tile[];

/** A page of groups, each with `total`, the number of groups. */
export function compileGroups(applicationId: string, plan: Plan, tilesOf: TilesOf): Compiled {
  const parameters = new Parameters(applicationId);
  const states = statesOf(plan.measures);
  const keys = plan.groups.map((group, at) => {
    const sql = group.trunc === undefined ? group.column.sql : bucket(group.column.sql, tilesOf(group), parameters);
    return `${sql} AS k${at}`;
  });
  const grouped = `
    SELECT ${[...keys, "count(*) AS rows", ...fromRows(states)].join(", ")}
    FROM ${plan.source.from}
    WHERE ${conditions(plan, parameters)}
    ${groupBy(plan)}`;
  return page(plan, states, grouped, parameters);
}

/** The same from the source's sums. */
export function compileSummedGroups(applicationId: string, plan: Plan, { days, edges }: Cut): Compiled {
  const parameters = new Parameters(applicationId);
  const states = statesOf(plan.measures);
  const parts = [
    ...(days.length > 0 ? [summedDays(plan, states, days, parameters)] : []),
    ...(edges.length > 0 ? [readEdges(plan, states, edges, parameters)] : []),
  ];
  if (parts.length === 0) parts.push(summedDays(plan, states, [], parameters));
  const keys = plan.groups.map((_, at) => `k${at}`);
  const grouped = `
    SELECT ${[...keys, "coalesce(sum(sign * rows), 0) AS rows", ...fromParts(states, "sign")].join(", ")}
    FROM (${parts.join(" UNION ALL ")}) part
    ${groupBy(plan)} ${keys.length > 0 ? "HAVING sum(sign * rows) > 0" : ""}`;
  return page(plan, states, grouped, parameters);
}

function page(plan: Plan, states: readonly State[], grouped: string, parameters: Parameters): Compiled {
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const keys = plan.groups.map((_, at) => `k${at}`);
  const columns = [...keys, "rows", ...namesOf(states), "count(*) OVER () AS total"];
  const order = plan.order.map((term) => orderTerm(plan, term, states));
  const orderBy = order.length > 0 ? `ORDER BY ${order.join(", ")}` : "";
  const text = `SELECT ${columns.join(", ")} FROM (${grouped}) grouped ${orderBy} ${limit}`;
  return { text, values: parameters.values };
}

function groupBy({ groups }: Plan): string {
  return groups.length > 0 ? `GROUP BY ${groups.map((_, at) => at + 1).join(", ")}` : "";
}

function orderTerm({ groups }: Plan, order: Order, states: readonly State[]): string {
  const direction = order.isDescending ? "DESC NULLS LAST" : "ASC NULLS LAST";
  if ("measure" in order) return `${measureOrder(order.measure, states)} ${direction}`;
  if ("column" in order) throw new Error("groups are not ordered by a row's column");
  return `${collated(order.group.column, `k${groups.indexOf(order.group)}`)} ${direction}`;
}

/** Texts in the order of their characters' codes, whatever the database thinks of languages. */
export function collated({ storage }: Column, sql: string): string {
  return storage.kind === "text" ? `${sql} COLLATE "C"` : sql;
}

/** SQL for the bucket of the moment `sql`, which lies in one of the tiles. */
function bucket(sql: string, tiles: readonly Tile[], parameters: Parameters): string {
  // Nothing lies before the first tile, so it may as well start with its bucket: then mostly all do, and one list is enough.
  const starts = tiles.map(({ from, bucket: value }, at) => (at === 0 ? value : from));
  const values = tiles.map((tile) => tile.bucket);
  const list = (moments: readonly number[]) => parameters.add(moments.map(instant), "timestamptz[]");
  const ordered = list(starts);
  const named = values.every((value, at) => value === starts[at]) ? ordered : list(values);
  return `(${named})[width_bucket(${sql}, ${ordered})]`;
}

const dayMs = 86_400_000;

function summedDays(plan: Plan, states: readonly State[], days: Cut["days"], parameters: Parameters): string {
  const { source, groups } = plan;
  if (source.rollup === undefined) throw new Error(`${source.id} has no sums`);
  const { view, dimensions, sums } = source.rollup;
  const hasBuckets = groups.some(({ column }) => isOnTimeline(source, column));
  const bucketOfDay = hasBuckets ? dayBucket(days, parameters) : undefined;
  const keys = groups.map(
    ({ column }, at) =>
      `${bucketOfDay && isOnTimeline(source, column) ? bucketOfDay : dimensions[column.id]} AS k${at}`,
  );
  const within = hasBuckets ? hull(days, parameters) : anyOf(days.map((range) => hull([range], parameters)));
  return `
    SELECT ${[...keys, "1 AS sign", `sum(${rowsOfSum(plan)}) AS rows`, ...fromSums(states, sums)].join(", ")}
    FROM ${view}
    WHERE ${[sumConditions(plan, parameters), within, ...(bucketOfDay ? [`${bucketOfDay} <> ${noBucket}`] : [])].join(" AND ")}
    ${keys.length > 0 ? `GROUP BY ${keys.map((_, at) => at + 1).join(", ")}` : ""}`;
}

/** Of a day between others that is in no bucket. An array without null is read at an index at once. */
const noBucket = "'-infinity'";

/** SQL for the bucket of a row of sums: days are counted from the first, and each has its bucket's value in a list. */
function dayBucket(days: Cut["days"], parameters: Parameters): string {
  const [first = 0, last = 0] = [days[0]?.from, days.at(-1)?.to];
  const buckets = new Array<string>(Math.max(0, Math.round((last - first) / dayMs))).fill("-infinity");
  for (const { from, to, bucket: value } of days) {
    if (value !== null)
      buckets.fill(instant(value), Math.round((from - first) / dayMs), Math.round((to - first) / dayMs));
  }
  const list = parameters.add(buckets, "timestamptz[]");
  return `(${list})[1 + (r.day - ${parameters.add(dateOf(first), "date")})]`;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `(${conditions.map((one) => `(${one})`).join(" OR ")})` : "false";
}

/** Days from the first to the last. */
function hull(days: Cut["days"], parameters: Parameters): string {
  const [from = 0, to = 0] = [days[0]?.from, days.at(-1)?.to];
  const ends = [
    ...(Number.isFinite(from) ? [`r.day >= ${parameters.add(dateOf(from), "date")}`] : []),
    ...(Number.isFinite(to) ? [`r.day < ${parameters.add(dateOf(to), "date")}`] : []),
  ];
  return ends.length > 0 ? ends.join(" AND ") : "true";
}

function dateOf(ms: number): string {
  const text = instant(ms);
  return text.includes("infinity") ? text : text.slice(0, 10);
}

/** What each edge has, once for the bucket that it is added to and once for the one that it is taken away from. */
function readEdges(plan: Plan, states: readonly State[], edges: readonly Edge[], parameters: Parameters): string {
  const { source, groups } = plan;
  const list = (value: (edge: Edge) => unknown, type: string) => parameters.add(edges.map(value), `${type}[]`);
  const moment = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : instant(ms));
  const columns = [
    list((edge) => instant(edge.from), "timestamptz"),
    list((edge) => instant(edge.to), "timestamptz"),
    list((edge) => edge.plus !== undefined, "boolean"),
    list((edge) => moment(edge.plus), "timestamptz"),
    list((edge) => edge.minus !== undefined, "boolean"),
    list((edge) => moment(edge.minus), "timestamptz"),
  ];
  const onTimeline = ({ column }: Group) => isOnTimeline(source, column);
  const inner = groups.flatMap((group, at) => (onTimeline(group) ? [] : [`${group.column.sql} AS k${at}`]));
  const keys = groups.map((group, at) => (onTimeline(group) ? `side.bucket AS k${at}` : `q.k${at}`));
  const where = conditions(plan, parameters, ({ column }) => isOnTimeline(source, column));
  // OFFSET 0 keeps PostgreSQL from reading an edge again for each of its sides.
  return `
    SELECT ${[...keys, "side.sign", "q.rows", ...namesOf(states).map((name) => `q.${name}`)].join(", ")}
    FROM (
      SELECT e.*, read.*
      FROM unnest(${columns.join(", ")}) e (starts, ends, adds, plus, takes, minus)
        CROSS JOIN LATERAL (
          SELECT ${[...inner, "count(*) AS rows", ...fromRows(states)].join(", ")}
          FROM ${source.from}
          WHERE ${where} AND s.created_at >= e.starts AND s.created_at < e.ends
          ${inner.length > 0 ? `GROUP BY ${inner.map((_, at) => at + 1).join(", ")}` : ""}
        ) read
      OFFSET 0
    ) q JOIN LATERAL (VALUES (q.adds, q.plus, 1), (q.takes, q.minus, -1)) side (is_there, bucket, sign) ON side.is_there`;
}
