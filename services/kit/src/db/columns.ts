// SQL generated from an EntitySchema, the only definition of a table's columns.

import type { EntitySchema, EntitySchemaColumnOptions } from "typeorm";

export interface Column {
  /** Property of the row in TypeScript. */
  readonly property: string;
  /** Quoted column name. */
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  /** True for a column of the primary key. */
  readonly isKey: boolean;
}

const lists = new WeakMap<object, readonly Column[]>();

/** Lists the columns of the entity's table, in the entity's order. */
export function columnList<Row>({ options }: EntitySchema<Row>): readonly Column[] {
  let list = lists.get(options);
  if (list === undefined) {
    list = Object.entries<EntitySchemaColumnOptions | undefined>(options.columns).flatMap(([property, column]) =>
      column === undefined ? [] : toColumn(property, column),
    );
    lists.set(options, list);
  }
  return list;
}

function toColumn(
  property: string,
  { name = property, type, array, nullable, primary }: EntitySchemaColumnOptions,
): Column {
  return {
    property,
    name: `"${name}"`,
    type: String(type),
    isArray: array === true,
    isNullable: nullable === true,
    isKey: primary === true,
  };
}

/** Returns the entity's table name with its schema, for FROM. */
export function getQualifiedTable<Row>({ options }: EntitySchema<Row>): string {
  return `${options.schema}.${options.tableName}`;
}

/** Returns the select list of the entity's columns, or of some properties, for a table that FROM calls `alias`. */
export function buildSelectList<Row>(
  entity: EntitySchema<Row>,
  alias: string,
  properties?: readonly (keyof Row)[],
): string {
  return columnList(entity)
    .filter(({ property }) => properties === undefined || properties.includes(property as keyof Row))
    .map(({ property, name }) => `${alias}.${name} AS "${property}"`)
    .join(", ");
}
