// Compiles filters to SQL for both engines, over rows of a source (`s`) or of its rollup (`r`).

import type { Column } from "../sources/index.ts";
import type { Intervals } from "./dates.ts";
import { scaled } from "./numbers.ts";
import type { Comparison, Filter, Plan } from "./plan.ts";

/** Collects values and returns their placeholders in SQL; types are named as in PostgreSQL. */
export interface Parameters {
  add(value: unknown, type: string): string;
  /** Returns a predicate that is true if the list `sql` has one of the ids; only in ClickHouse. */
  hasAny?(sql: string, ids: readonly string[]): string;
}

/** Builds the predicate for rows of the source, without the filters for which `isExcluded` is true. */
export function rowPredicate(
  plan: Plan,
  parameters: Parameters,
  isExcluded: (filter: Filter) => boolean = () => false,
): string {
  return [
    "s.application_id = $1::uuid",
    ...filterPredicates(plan, parameters, isExcluded),
    ...(plan.includeArchived ? [] : [plan.source.notArchived]),
  ].join(" AND ");
}

export function filterPredicates(
  { filters }: Plan,
  parameters: Parameters,
  isExcluded: (filter: Filter) => boolean,
): string[] {
  const included = filters.filter((filter) => !isExcluded(filter));
  return included.map((filter) => predicate(filter, filter.column.sql, parameters));
}

/** Builds the predicate for rows of the rollup: the filters on its dimensions. */
export function rollupPredicate({ source, filters }: Plan, parameters: Parameters): string {
  const predicates = filters.flatMap((filter) => {
    const sql = source.rollup?.dimensions[filter.column.id];
    return sql === undefined ? [] : [predicate(filter, sql, parameters)];
  });
  return ["r.application_id = $1::uuid", ...predicates].join(" AND ");
}

function predicate(filter: Filter, sql: string, parameters: Parameters): string {
  const { column } = filter;
  switch (filter.kind) {
    case "string": {
      const values = parameters.add(filter.values, column.storage.kind === "uuid" ? "uuid[]" : "text[]");
      return filter.isNegated ? orNull(column, sql, `${sql} <> ALL (${values})`) : `${sql} = ANY (${values})`;
    }
    case "member": {
      const isMember =
        parameters.hasAny?.(sql, filter.values) ?? `${sql} && ${parameters.add(filter.values, "uuid[]")}`;
      return filter.isNegated ? `NOT (${isMember})` : isMember;
    }
    case "boolean": {
      const value = parameters.add(filter.value, "boolean");
      return filter.isNegated ? orNull(column, sql, `${sql} <> ${value}`) : `${sql} = ${value}`;
    }
    case "number":
      return numberPredicate(column, sql, filter.operator, filter.values, parameters);
    case "date": {
      const within = intervalPredicate(sql, filter.intervals, parameters);
      return filter.matchesNull ? orNull(column, sql, within) : within;
    }
  }
}

function orNull({ isNullable }: Column, sql: string, predicate: string): string {
  return isNullable ? `(${sql} IS NULL OR ${predicate})` : predicate;
}

export function intervalPredicate(sql: string, intervals: Intervals, parameters: Parameters): string {
  const terms = intervals.map(({ from, to }) => {
    const ends = [
      ...(Number.isFinite(from) ? [`${sql} >= ${parameters.add(instant(from), "timestamptz")}`] : []),
      ...(Number.isFinite(to) ? [`${sql} < ${parameters.add(instant(to), "timestamptz")}`] : []),
    ];
    return ends.length > 0 ? ends.join(" AND ") : `${sql} IS NOT NULL`;
  });
  if (terms.length === 0) return "false";
  return terms.length === 1 ? terms.join() : `(${terms.map((term) => `(${term})`).join(" OR ")})`;
}

// Range of the timestamps that rows can have. PostgreSQL reads no year below 1, and JavaScript formats years above 9999
// in a different way.
const [earliest, latest] = [Date.parse("0001-01-03T00:00:00Z"), Date.parse("9999-12-29T00:00:00Z")];

/** Formats a timestamptz literal. */
export function instant(ms: number): string {
  if (ms < earliest) return "-infinity";
  return ms > latest ? "infinity" : new Date(ms).toISOString();
}

function numberPredicate(
  column: Column,
  sql: string,
  operator: Comparison,
  [first = 0, second = first]: readonly number[],
  parameters: Parameters,
): string {
  if (operator === "between") {
    const bounds = [compare(column, sql, "gte", first, parameters), compare(column, sql, "lte", second, parameters)];
    return bounds.join(" AND ");
  }
  const comparison = compare(column, sql, operator, first, parameters);
  return operator === "neq" ? orNull(column, sql, comparison) : comparison;
}

const operators = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** Operators for a value between two storable ones: it equals neither, and comparisons use the lower one instead. */
const unequalOperators = { eq: "false", neq: "true", gt: ">", gte: ">", lt: "<=", lte: "<=" } as const;

function compare(
  { storage }: Column,
  sql: string,
  comparison: keyof typeof operators,
  value: number,
  parameters: Parameters,
): string {
  if (storage.kind !== "scaled") return `${sql} ${operators[comparison]} ${parameters.add(value, "float8")}`;
  const { floor, isWhole } = scaled(value, storage.scale);
  const operator = isWhole ? operators[comparison] : unequalOperators[comparison];
  if (operator === "false") return operator;
  if (operator === "true") return `${sql} IS NOT NULL`;
  if (floor >= int8Max || floor <= -int8Max) return isTrueBeyond(operator, floor > 0n) ? `${sql} IS NOT NULL` : "false";
  return `${sql} ${operator} ${parameters.add(String(floor), "bigint")}`;
}

const int8Max = 2n ** 63n - 1n;

/** Returns true if the comparison holds for every storable number, with a value too large or small to be stored. */
function isTrueBeyond(operator: string, isLarge: boolean): boolean {
  return operator === "<>" || operator.startsWith(isLarge ? "<" : ">");
}
