// Table definitions: columns and constraints, from which both TypeORM's entity and the row type are derived.

import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions } from "typeorm";
import type { StorableJson, StorableText } from "../readers/index.ts";

/** A column whose values are of type `T`. */
export interface Column<T> {
  readonly options: EntitySchemaColumnOptions;
  /** Allowed values, if a constraint lists them. */
  readonly values?: readonly string[];
  /** Never set; exists only for the type. */
  readonly valueType?: T;
}

export const uuid: Column<string> = { options: { type: "uuid" } };
export const uuids: Column<string[]> = { options: { type: "uuid", array: true } };
export const text: Column<string> = { options: { type: "text" } };
export const texts: Column<string[]> = { options: { type: "text", array: true } };
export const boolean: Column<boolean> = { options: { type: "boolean" } };
export const integer: Column<number> = { options: { type: "integer" } };
/** 64-bit integer, which pg reads as text. */
export const bigint: Column<string> = { options: { type: "bigint" } };
export const double: Column<number> = { options: { type: "double precision" } };
export const bytes: Column<Buffer> = { options: { type: "bytea" } };
/** Time with millisecond precision, like JSON. */
export const timestamp: Column<Date> = { options: { type: "timestamptz", precision: 3 } };

/** Text from telemetry, which may contain characters that PostgreSQL rejects. */
export const storableText: Column<StorableText> = text as Column<StorableText>;
export const storableJson = <T extends StorableJson>(): Column<T> => ({ options: { type: "json" } });
export const json = <T>(): Column<T> => ({ options: { type: "json" } });
export const jsonb = <T>(): Column<T> => ({ options: { type: "jsonb" } });
/** Text that is one of the values, without a constraint. */
export const typedText = <T extends string>(): Column<T> => ({ options: { type: "text" } });
/** One of the values, with a constraint named `<table>_<column>_check`. */
export const oneOf = <T extends string>(...values: readonly T[]): Column<T> => ({ options: { type: "text" }, values });

export const nullable = <T>({ options }: Column<T>): Column<T | null> => ({ options: { ...options, nullable: true } });
export const withDefault = <T>(column: Column<T>, value: T): Column<T> => ({
  ...column,
  options: { ...column.options, default: value },
});

/** The column with PostgreSQL's time as default, for processes of older versions that do not write it. */
export const withDefaultNow = (column: Column<Date>): Column<Date> => ({
  ...column,
  options: { ...column.options, default: () => "now()" },
});

type Columns = Readonly<Record<string, Column<unknown>>>;
type RowFromColumns<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** Row type of a table. */
export type Row<Entity> = Entity extends EntitySchema<infer R> ? R : never;

interface Constraints<Property>
  extends Pick<EntitySchemaOptions<unknown>, "checks" | "indices" | "uniques" | "foreignKeys"> {
  /** Primary key; by default the tenant's column and `id`. */
  readonly primaryKey?: readonly Property[];
}

/**
 * Defines the table `schema.name`. Column names are the properties in snake case; the entity's name is the table's in
 * Pascal case.
 */
export function table<C extends Columns>(
  path: `${string}.${string}`,
  columns: C,
  constraints: Constraints<keyof C> = {},
): EntitySchema<RowFromColumns<C>> {
  const [schema = "", tableName = ""] = path.split(".");
  const { primaryKey = [Object.keys(columns)[0] ?? "", "id"], checks = [], ...optional } = constraints;
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
  return new EntitySchema<RowFromColumns<C>>({
    name: pascalCase(tableName),
    tableName,
    schema,
    columns: Object.fromEntries(entries),
    checks: [...lists, ...checks],
    ...optional,
  });
}

/** A foreign key to another table of the schema, preceded by the tenant's column. */
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

/** Column name of a property. */
export function snakeCase(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pascalCase(tableName: string): string {
  return tableName.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
