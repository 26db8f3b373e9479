// Reads of one row by its id, which most get RPCs are made of.

import type { EntitySchema } from "typeorm";
import { notFound } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { columnList, columnsOf, tableOf } from "./columns.ts";
import type { Database, Statement } from "./database.ts";

export interface RowById<Row> {
  /** The row of the call's tenant with the id. */
  statement(call: Call, id: string): Statement;
  /** The statement's only row. None is not found: there is no such row, or it is another tenant's. */
  only(rows: readonly object[] | undefined): Row;
  /** Reads the row. */
  read(database: Database, call: Call, id: string): Promise<Row>;
}

/** `name` is what is not found. `columns` and `from` are given where a row is more than the entity's, whose alias is its table. */
export function rowById<Stored extends object, Row extends object = Stored>(
  entity: EntitySchema<Stored>,
  name: string,
  { columns, from }: { readonly columns?: string; readonly from?: string } = {},
): RowById<Row> {
  const alias = String(entity.options.tableName);
  const isApplications = columnList(entity).some(({ property }) => property === "applicationId");
  const text = `SELECT ${columns ?? columnsOf(entity, alias)} FROM ${from ?? `${tableOf(entity)} ${alias}`}
    WHERE ${alias}.${isApplications ? "application_id" : "org_id"} = $1 AND ${alias}.id = $2`;
  const only = (rows: readonly object[] | undefined): Row => {
    const row = rows?.[0];
    if (row === undefined) throw notFound(name);
    // The columns are what the text says; the types are named beside it.
    return row as Row;
  };
  const statement = ({ tenant }: Call, id: string): Statement => ({
    name: `get-${alias}${columns === undefined ? "" : "-more"}`,
    text,
    values: [isApplications ? tenant.applicationId : tenant.orgId, id],
  });
  return {
    statement,
    only,
    read: async (database, call, id) => only(await database.read(call, statement(call, id))),
  };
}
