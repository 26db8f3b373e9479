// Statements on an entity's rows, built by TypeORM's query builders and sent by the transaction.

import type { DataSource, EntitySchema, EntityTarget, FindOptionsWhere, ObjectLiteral } from "typeorm";
import type { Statement } from "./batch.ts";
import { columnList } from "./columns.ts";

/** Condition on rows: values of columns, or operators such as `In` and `Not`. */
export type Where<Row> = FindOptionsWhere<Row>;

/** Lock that is held until the transaction ends, as in PostgreSQL's `FOR …`. */
export type RowLock = "UPDATE" | "NO KEY UPDATE" | "SHARE";

export interface FindOptions<Row> {
  readonly orderBy?: Partial<Record<keyof Row, "ASC" | "DESC">>;
  readonly skip?: number;
  readonly limit?: number;
  readonly lock?: RowLock;
}

const locks = {
  UPDATE: "pessimistic_write",
  "NO KEY UPDATE": "for_no_key_update",
  SHARE: "pessimistic_read",
} as const satisfies Record<RowLock, string>;

export function findStatement<Row extends object>(
  dataSource: DataSource,
  entity: EntitySchema<Row>,
  where: Where<Row>,
  { orderBy = {}, skip, limit, lock }: FindOptions<Row> = {},
): Statement {
  const select = selectFrom(dataSource, entity, where);
  for (const { property } of columnList(entity)) select.addSelect(`row.${property}`, property);
  for (const [property, direction] of Object.entries<"ASC" | "DESC" | undefined>(orderBy)) {
    select.addOrderBy(`row.${property}`, direction);
  }
  if (lock !== undefined) select.setLock(locks[lock]);
  return statement(select.offset(skip).limit(limit).getQueryAndParameters());
}

/** Builds a statement that returns one row if any row matches. */
export function existsStatement<Row>(dataSource: DataSource, entity: EntitySchema<Row>, where: Where<Row>): Statement {
  return statement(selectFrom(dataSource, entity, where).addSelect("1", "one").limit(1).getQueryAndParameters());
}

/** Builds a statement that returns one row, with the number of matching rows in `count`. */
export function countStatement<Row>(dataSource: DataSource, entity: EntitySchema<Row>, where: Where<Row>): Statement {
  return statement(selectFrom(dataSource, entity, where).addSelect("count(*)::int", "count").getQueryAndParameters());
}

export function updateStatement<Row extends object>(
  dataSource: DataSource,
  entity: EntitySchema<Row>,
  where: Where<Row>,
  change: Partial<Row>,
): Statement {
  const update = dataSource.createQueryBuilder().update<ObjectLiteral>(getTarget(entity)).set(change).where(where);
  return statement(update.updateEntity(false).getQueryAndParameters());
}

export function deleteStatement<Row>(dataSource: DataSource, entity: EntitySchema<Row>, where: Where<Row>): Statement {
  return statement(
    dataSource.createQueryBuilder().delete().from(getTarget(entity)).where(where).getQueryAndParameters(),
  );
}

function selectFrom<Row>(dataSource: DataSource, entity: EntitySchema<Row>, where: Where<Row>) {
  return dataSource.createQueryBuilder().select([]).from<ObjectLiteral>(getTarget(entity), "row").where(where);
}

function statement([text, values]: [string, unknown[]]): Statement {
  return { text, values };
}

function getTarget<Row>(entity: EntitySchema<Row>): EntityTarget<ObjectLiteral> {
  return entity as unknown as EntityTarget<ObjectLiteral>;
}
