// SQL made from an EntitySchema: a table's columns are stated there and nowhere else.

import type { EntitySchema, EntitySchemaColumnOptions } from "typeorm";

export interface Column {
  /** Of the row in TypeScript. */
  readonly property: string;
  /** In the table, quoted. */
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  /** Part of the primary key. */
  readonly isKey: boolean;
}

const lists = new WeakMap<object, readonly Column[]>();

/** The columns of the entity's table, in the entity's order. */
export function columnList<Row>({ options }: EntitySchema<Row>): readonly Column[] {
  let list = lists.get(options);
  if (list === undefined) {
    list = Object.entries<EntitySchemaColumnOptions | undefined>(options.columns).flatMap(([property, column]) =>
      column === undefined ? [] : columnOf(property, column),
    );
    lists.set(options, list);
  }
  return list;
}

function columnOf(
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

/** The entity's table with its schema, as it stands after FROM. */
export function tableOf<Row>({ options }: EntitySchema<Row>): string {
  return `${options.schema}.${options.tableName}`;
}

/** The select list that reads the entity's rows, or some properties of them, from its table, which FROM calls `alias`. */
export function columnsOf<Row>(entity: EntitySchema<Row>, alias: string, properties?: readonly (keyof Row)[]): string {
  return columnList(entity)
    .filter(({ property }) => properties === undefined || properties.includes(property as keyof Row))
    .map(({ property, name }) => `${alias}.${name} AS "${property}"`)
    .join(", ");
}
