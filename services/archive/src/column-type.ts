// What the values of a column of PostgreSQL are in ClickHouse.

import type { Column } from "@ems/kit/db/columns";

type Expression = (column: string) => string;

export interface ColumnType {
  /** ClickHouse's type. */
  readonly name: string;
  /** PostgreSQL's text of a value, as ClickHouse reads it. */
  readonly copied: Expression;
  /** A value as ClickHouse's JSON has it, and what pg makes of the same. */
  readonly selected: Expression;
  readonly read?: (value: unknown) => unknown;
  /** What is added up where both are compared: PostgreSQL's and ClickHouse's expression. */
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
const json: ColumnType = { ...text, read: (value) => JSON.parse(String(value)) };

/** Of an id the last 48 bits, which are random: ClickHouse has a UUID's halves the other way round. */
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
  // Doubles add up differently in another order.
  "double precision": { ...plain, name: "Float64" },
};

export function columnType({ type, isArray, isKey }: Column): ColumnType {
  const one = types[type];
  if (one === undefined) throw new Error(`the archive has no type for ${type}`);
  if (!isArray) return isKey && type === "uuid" ? { ...one, summed: key } : one;
  return {
    ...plain,
    name: `Array(${one.name})`,
    copied: (column) =>
      `CASE WHEN cardinality(${column}) = 0 THEN '[]' ELSE '[''' || array_to_string(${column}, ''',''') || ''']' END`,
    summed: [(column) => `cardinality(${column})`, (column) => `length(${column})`],
  };
}
