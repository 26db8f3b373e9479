// Counts and sums of a table's rows, computed by both engines: as text, equal where the rows are.

import { type Column, columnList } from "../db/columns.ts";
import type { ArchivedTable } from "./kind.ts";

/** By name: `rows`, then columns. */
export type Sums = Readonly<Record<string, string>>;

/** The names of what is not the same. A batch that another version carried lacks sums of columns that only this one has. */
export function differenceOf(ours: Sums, theirs: Sums): string[] {
  const both = Object.keys(ours).filter((name) => name in theirs);
  return [...new Set(["rows", ...both])].filter((name) => ours[name] !== theirs[name]);
}

/** What is added up of a column: PostgreSQL's and ClickHouse's expression. */
type Summand = readonly [postgres: string, clickhouse: string];

/** Of an id the last 48 bits, which are random: ClickHouse has a UUID's halves the other way round. */
const low48 = "281474976710655";

function summandOf({ name, type, isArray, isKey }: Column): Summand | undefined {
  const [ours, theirs] = [`r.${name}`, name.slice(1, -1)];
  if (isArray) return [`cardinality(${ours})`, `length(${theirs})`];
  switch (type) {
    case "uuid": {
      const digits = `right(replace(${ours}::text, '-', ''), 12)`;
      return isKey
        ? [
            `('x' || ${digits})::bit(48)::bigint`,
            `bitAnd(bitShiftRight(reinterpretAsUInt128(${theirs}), 64), ${low48})`,
          ]
        : undefined;
    }
    case "timestamptz":
      return [`(extract(epoch FROM ${ours}) * 1000)::bigint`, `toUnixTimestamp64Milli(${theirs})`];
    case "bigint":
    case "integer":
      return [ours, theirs];
    case "boolean":
      return [`${ours}::integer`, theirs];
    case "text":
    case "json":
      return [`octet_length(${ours}::text)`, `length(${theirs})`];
    default:
      // Doubles add up differently in another order.
      return undefined;
  }
}

function* summands({ entity }: ArchivedTable): Generator<readonly [name: string, ...Summand]> {
  for (const column of columnList(entity)) {
    const summand = summandOf(column);
    if (summand !== undefined) yield [column.name.slice(1, -1), ...summand];
  }
}

/** Select lists that answer `Sums`. */
export function postgresSums(table: ArchivedTable): string {
  const sums = [...summands(table)].map(([name, sum]) => `coalesce(sum(${sum}), 0)::text AS "${name}_sum"`);
  return ["count(*)::text AS rows", ...sums].join(", ");
}

export function clickhouseSums(table: ArchivedTable): string {
  const sums = [...summands(table)].map(([name, , sum]) => `toString(ifNull(sum(toInt128(${sum})), 0)) AS ${name}_sum`);
  return ["toString(count()) AS rows", ...sums].join(", ");
}
