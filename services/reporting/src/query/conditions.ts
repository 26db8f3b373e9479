// A plan's conditions in SQL, over the rows of a source (`s`) or over its sums (`r`).

import type { Column, Source } from "../sources/source.ts";
import { scaled } from "./numbers.ts";
import type { Parameters } from "./parameters.ts";
import type { Plan } from "./plan.ts";
import type { Comparison, Filter } from "./plan-filters.ts";
import type { Ranges } from "./ranges.ts";

/** What a row has to fulfil, joined by AND; without the filters that `isElsewhere` says are seen to otherwise. */
export function conditions(
  { source, filters, includeArchived }: Plan,
  parameters: Parameters,
  isElsewhere: (filter: Filter) => boolean = () => false,
): string {
  const own = filters.filter((filter) => !isElsewhere(filter));
  return [
    "s.application_id = $1::uuid",
    ...own.map((filter) => condition(filter, filter.column.sql, parameters)),
    ...(includeArchived ? [] : [source.notArchived]),
  ].join(" AND ");
}

/** The same over a source's sums; its filters are on dimensions, but for those on the timeline, which are elsewhere. */
export function sumConditions({ source, filters }: Plan, parameters: Parameters): string {
  const own = filters.flatMap((filter) => {
    const sql = source.rollup?.dimensions[filter.column.id];
    return sql === undefined ? [] : [condition(filter, sql, parameters)];
  });
  return ["r.application_id = $1::uuid", ...own].join(" AND ");
}

/** Whether the filter says something of when a row was laid down. */
export function isOnTimeline({ timeline }: Source, { id }: Column): boolean {
  return timeline.includes(id);
}

function condition(filter: Filter, sql: string, parameters: Parameters): string {
  const { column } = filter;
  switch (filter.kind) {
    case "string": {
      const values = parameters.add(filter.values, column.storage.kind === "uuid" ? "uuid[]" : "text[]");
      return filter.isNegated ? orNull(column, sql, `${sql} <> ALL (${values})`) : `${sql} = ANY (${values})`;
    }
    case "boolean": {
      const value = parameters.add(filter.value, "boolean");
      return filter.isNegated ? orNull(column, sql, `${sql} <> ${value}`) : `${sql} = ${value}`;
    }
    case "number":
      return numberCondition(column, sql, filter.operator, filter.values, parameters);
    case "date": {
      const within = rangeConditions(sql, filter.ranges, parameters);
      return filter.passesNull ? orNull(column, sql, within) : within;
    }
  }
}

function orNull({ isNullable }: Column, sql: string, condition: string): string {
  return isNullable ? `(${sql} IS NULL OR ${condition})` : condition;
}

/** Whether `sql` lies in one of the ranges. */
function rangeConditions(sql: string, ranges: Ranges, parameters: Parameters): string {
  const terms = ranges.map(({ from, to }) => {
    const ends = [
      ...(Number.isFinite(from) ? [`${sql} >= ${parameters.add(instant(from), "timestamptz")}`] : []),
      ...(Number.isFinite(to) ? [`${sql} < ${parameters.add(instant(to), "timestamptz")}`] : []),
    ];
    return ends.length > 0 ? ends.join(" AND ") : `${sql} IS NOT NULL`;
  });
  if (terms.length === 0) return "false";
  return terms.length === 1 ? terms.join() : `(${terms.map((term) => `(${term})`).join(" OR ")})`;
}

// PostgreSQL reads no year below 1, and JavaScript writes years above 9999 in a form of its own: no row is from there.
const [first, last] = [Date.parse("0001-01-03T00:00:00Z"), Date.parse("9999-12-29T00:00:00Z")];

export function instant(ms: number): string {
  if (ms < first) return "-infinity";
  return ms > last ? "infinity" : new Date(ms).toISOString();
}

function numberCondition(
  column: Column,
  sql: string,
  operator: Comparison,
  values: readonly number[],
  parameters: Parameters,
): string {
  const [one = 0, other = one] = values;
  if (operator === "between") {
    const parts = [compare(column, sql, "gte", one, parameters), compare(column, sql, "lte", other, parameters)];
    return parts.join(" AND ");
  }
  const told = compare(column, sql, operator, one, parameters);
  return operator === "neq" ? orNull(column, sql, told) : told;
}

const signs = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function compare(
  { storage }: Column,
  sql: string,
  operator: keyof typeof signs,
  value: number,
  parameters: Parameters,
): string {
  if (storage.kind !== "scaled") return `${sql} ${signs[operator]} ${parameters.add(value, "float8")}`;
  const { floor, isWhole } = scaled(value, storage.scale);
  // What lies between two values that can be stored is equal to none, and as far as order goes like the one below.
  const [sign, bound] = isWhole ? [signs[operator], floor] : ([between[operator], floor] as const);
  if (sign === "false" || sign === "true") return sign === "true" ? `${sql} IS NOT NULL` : sign;
  if (bound >= int8Max || bound <= -int8Max) return isTrueBeyond(sign, bound > 0n) ? `${sql} IS NOT NULL` : "false";
  return `${sql} ${sign} ${parameters.add(String(bound), "bigint")}`;
}

const between = { eq: "false", neq: "true", gt: ">", gte: ">", lt: "<=", lte: "<=" } as const;

const int8Max = 2n ** 63n - 1n;

/** Whether every stored number stands so to one that is too great, or too small, to be stored. */
function isTrueBeyond(sign: string, isGreat: boolean): boolean {
  return sign === "<>" || sign.startsWith(isGreat ? "<" : ">");
}
