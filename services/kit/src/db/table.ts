// Tables, stated once: columns and constraints, from which come both TypeORM's entity and the row's type.

import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions } from "typeorm";
import type { StorableJson, StorableText } from "../readers/index.ts";

/** A column whose values are of type `T`. */
export interface Column<T> {
  readonly options: EntitySchemaColumnOptions;
  /** The only values, where a constraint lists them. */
  readonly values?: readonly string[];
  /** Never set: carries the type. */
  readonly valueType?: T;
}

export const uuid: Column<string> = { options: { type: "uuid" } };
export const uuids: Column<string[]> = { options: { type: "uuid", array: true } };
export const text: Column<string> = { options: { type: "text" } };
export const texts: Column<string[]> = { options: { type: "text", array: true } };
export const boolean: Column<boolean> = { options: { type: "boolean" } };
export const integer: Column<number> = { options: { type: "integer" } };
/** pg reads it as text. */
export const bigint: Column<string> = { options: { type: "bigint" } };
export const double: Column<number> = { options: { type: "double precision" } };
export const bytes: Column<Buffer> = { options: { type: "bytea" } };
/** To the millisecond, as JSON has it. */
export const timestamp: Column<Date> = { options: { type: "timestamptz", precision: 3 } };

/** Text of telemetry, which may come with characters that PostgreSQL refuses. */
export const storableText: Column<StorableText> = text as Column<StorableText>;
export const storableJson = <T extends StorableJson>(): Column<T> => ({ options: { type: "json" } });
export const json = <T>(): Column<T> => ({ options: { type: "json" } });
export const jsonb = <T>(): Column<T> => ({ options: { type: "jsonb" } });
/** One of the values; no constraint says so. */
export const textOf = <T extends string>(): Column<T> => ({ options: { type: "text" } });
/** One of the values, by a constraint named `<table>_<column>_check`. */
export const oneOf = <T extends string>(...values: readonly T[]): Column<T> => ({ options: { type: "text" }, values });

export const nullable = <T>({ options }: Column<T>): Column<T | null> => ({ options: { ...options, nullable: true } });
export const withDefault = <T>(column: Column<T>, value: T): Column<T> => ({
  ...column,
  options: { ...column.options, default: value },
});

/** The same by PostgreSQL's clock, where a process of an older version does not write the column. */
export const withDefaultNow = (column: Column<Date>): Column<Date> => ({
  ...column,
  options: { ...column.options, default: () => "now()" },
});

type Columns = Readonly<Record<string, Column<unknown>>>;
type RowOf<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** The rows of a table. */
export type Row<Entity> = Entity extends EntitySchema<infer R> ? R : never;

interface Constraints<Property>
  extends Pick<EntitySchemaOptions<unknown>, "checks" | "indices" | "uniques" | "foreignKeys"> {
  /** The tenant's column, which is the first, and `id` unless given. */
  readonly primaryKey?: readonly Property[];
}

/** The table `schema.name`: columns are named as their properties in snake case, the entity as the table in Pascal case. */
export function table<C extends Columns>(
  path: `${string}.${string}`,
  columns: C,
  constraints: Constraints<keyof C> = {},
): EntitySchema<RowOf<C>> {
  const [schema = "", tableName = ""] = path.split(".");
  const { primaryKey = [Object.keys(columns)[0] ?? "", "id"], checks = [], ...others } = constraints;
  const entries = Object.entries(columns).map(([property, { options }]) => {
    const key = primaryKey.includes(property) && { primary: true, primaryKeyConstraintName: `${tableName}_pkey` };
    return [property, { ...options, name: snakeCase(property), ...key }];
  });
  const lists = Object.entries(columns).flatMap(([property, { values }]) => {
    if (values === undefined) return [];
    const name = snakeCase(property);
    const expression = `${name} IN (${values.map((value) => `'${value}'`).join(", ")})`;
    return [{ name: `${tableName}_${name}_check`, expression }];
  });
  return new EntitySchema<RowOf<C>>({
    name: pascalCase(tableName),
    tableName,
    schema,
    columns: Object.fromEntries(entries),
    checks: [...lists, ...checks],
    ...others,
  });
}

/** A foreign key to another table of the schema, with the tenant's column in front. */
export function foreignKey(
  name: string,
  columns: readonly [tenant: string, ...string[]],
  targetTable: string,
  referenced: readonly string[] = [columns[0], "id"],
) {
  return {
    name,
    target: pascalCase(targetTable),
    columnNames: [...columns],
    referencedColumnNames: [...referenced],
  };
}

/** The column of a property. */
export function snakeCase(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pascalCase(tableName: string): string {
  return tableName.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
