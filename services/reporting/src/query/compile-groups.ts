// Groups in SQL. Their columns are `group_0`, `group_1`, …, `rows` and the aggregates (aggregates.ts).

import { Parameters } from "@ems/kit/db/parameters";
import type { Column } from "../sources/index.ts";
import { type Aggregate, aggregatesOf, fromRows, measureOrder, namesOf } from "./aggregates.ts";
import type { Bucket } from "./dates.ts";
import type { Grouping, Order, Plan } from "./plan.ts";
import { instant, rowPredicate } from "./predicates.ts";

/** A statement with its values. */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The buckets of each grouping by date. */
export type BucketsOf = (grouping: Grouping) => readonly Bucket[];

/** A page of groups from rows; each row has `total`, the number of groups. */
export function compileGroups(applicationId: string, plan: Plan, bucketsOf: BucketsOf): Compiled {
  const parameters = new Parameters(applicationId);
  const keys = plan.groupings.map((grouping, at) => {
    const { column, trunc } = grouping;
    return `${trunc === undefined ? column.sql : bucketStart(column.sql, bucketsOf(grouping), parameters)} AS group_${at}`;
  });
  const groups = `
    SELECT ${[...keys, "count(*) AS rows", ...fromRows(aggregatesOf(plan.measures))].join(", ")}
    FROM ${plan.source.from}
    WHERE ${rowPredicate(plan, parameters)}
    ${groupBy(keys.length)}`;
  return compilePage(plan, groups, parameters);
}

/** A page of `groups`, a statement with their columns. */
export function compilePage(plan: Plan, groups: string, parameters: Parameters): Compiled {
  const aggregates = aggregatesOf(plan.measures);
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = [...groupNames(plan), "rows", ...namesOf(aggregates), "count(*) OVER () AS total"];
  const order = plan.order.map((term) => orderTerm(plan, term, aggregates));
  const orderBy = order.length > 0 ? `ORDER BY ${order.join(", ")}` : "";
  const text = `SELECT ${columns.join(", ")} FROM (${groups}) grouped ${orderBy} ${limit}`;
  return { text, values: parameters.values };
}

export function groupNames({ groupings }: Plan): string[] {
  return groupings.map((_, at) => `group_${at}`);
}

/** Groups by the first `count` columns of the select list. */
export function groupBy(count: number): string {
  return count > 0 ? `GROUP BY ${Array.from({ length: count }, (_, at) => at + 1).join(", ")}` : "";
}

function orderTerm({ groupings }: Plan, order: Order, aggregates: readonly Aggregate[]): string {
  const direction = order.isDescending ? "DESC NULLS LAST" : "ASC NULLS LAST";
  if ("measure" in order) return `${measureOrder(order.measure, aggregates)} ${direction}`;
  if ("column" in order) throw new Error("groups are not ordered by a row's column");
  return `${collated(order.grouping.column, `group_${groupings.indexOf(order.grouping)}`)} ${direction}`;
}

/** Orders texts by code point, whatever the database's locale. */
export function collated({ storage }: Column, sql: string): string {
  return storage.kind === "text" ? `${sql} COLLATE "C"` : sql;
}

/** SQL: the start of the bucket that contains the moment `sql`. */
function bucketStart(sql: string, buckets: readonly Bucket[], parameters: Parameters): string {
  const starts = buckets.map(({ start }) => start);
  // No row precedes the first interval, so it may begin with its bucket: then mostly one list serves as both.
  const bounds = buckets.map(({ from, start }, at) => (at === 0 ? start : from));
  const list = (moments: readonly number[]) => parameters.add(moments.map(instant), "timestamptz[]");
  const boundList = list(bounds);
  const startList = starts.every((start, at) => start === bounds[at]) ? boundList : list(starts);
  return `(${startList})[width_bucket(${sql}, ${boundList})]`;
}
