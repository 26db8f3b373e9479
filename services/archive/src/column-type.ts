// ClickHouse types of PostgreSQL columns, and conversions of their values.

import type { Column } from "@ems/kit/db/columns";
import { parseJson } from "@ems/kit/json/exact-number";

type Expression = (column: string) => string;

export interface ColumnType {
  /** Name of the type in ClickHouse. */
  readonly name: string;
  /** PostgreSQL's expression for a value that ClickHouse can parse. */
  readonly copied: Expression;
  /** ClickHouse's expression for reading a value; `read` converts it to what pg returns. */
  readonly selected: Expression;
  readonly read?: (value: unknown) => unknown;
  /** Expressions that are summed to compare both stores. */
  readonly summed?: readonly [postgres: Expression, clickhouse: Expression];
}

const itself: Expression = (column) => column;
const plain = { copied: itself, selected: itself };
const whole = { ...plain, summed: [itself, itself] } as const;
const ms: Expression = (column) => `toUnixTimestamp64Milli(${column})`;
const text: ColumnType = {
  ...plain,
  name: "String",
  summed: [(column) => `octet_length(${column}::text)`, (column) => `length(${column})`],
};
const json: ColumnType = { ...text, read: (value) => parseJson(String(value)) };

/** Sums the last 48 bits of ids, which are random. ClickHouse stores a UUID's halves in reverse order. */
const key: NonNullable<ColumnType["summed"]> = [
  (column) => `('x' || right(replace(${column}::text, '-', ''), 12))::bit(48)::bigint`,
  (column) => `bitAnd(bitShiftRight(reinterpretAsUInt128(${column}), 64), 281474976710655)`,
];

const types: Readonly<Record<string, ColumnType>> = {
  uuid: { ...plain, name: "UUID" },
  text,
  json,
  jsonb: json,
  timestamptz: {
    name: "DateTime64(3, 'UTC')",
    copied: (column) => `${column} AT TIME ZONE 'UTC'`,
    selected: ms,
    read: (value) => new Date(Number(value)),
    summed: [(column) => `(extract(epoch FROM ${column}) * 1000)::bigint`, ms],
  },
  bigint: { ...whole, name: "Int64" },
  integer: { ...whole, name: "Int32" },
  boolean: { ...plain, name: "Bool", summed: [(column) => `${column}::integer`, itself] },
  // Doubles are not summed, because their sum depends on the order of rows.
  "double precision": { ...plain, name: "Float64" },
};

export function columnType({ type, isArray, isKey }: Column): ColumnType {
  const scalar = types[type];
  if (scalar === undefined) throw new Error(`the archive has no type for ${type}`);
  if (!isArray) return isKey && type === "uuid" ? { ...scalar, summed: key } : scalar;
  return {
    ...plain,
    name: `Array(${scalar.name})`,
    copied: (column) =>
      `CASE WHEN cardinality(${column}) = 0 THEN '[]' ELSE '[''' || array_to_string(${column}, ''',''') || ''']' END`,
    summed: [(column) => `cardinality(${column})`, (column) => `length(${column})`],
  };
}
