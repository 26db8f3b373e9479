// Reads of one row by its id, the core of most get RPCs.

import type { EntitySchema } from "typeorm";
import { notFound } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { buildSelectList, columnList, getQualifiedTable } from "./columns.ts";
import type { Database, Statement } from "./database.ts";

export interface RowById<Row> {
  /** Builds the statement that selects the row with this id, if it belongs to the call's tenant. */
  statement(call: Call, id: string): Statement;
  /** Returns the statement's only row, or throws "not found": the row does not exist or belongs to another tenant. */
  only(rows: readonly object[] | undefined): Row;
  /** Reads the row. */
  read(database: Database, call: Call, id: string): Promise<Row>;
}

/**
 * `name` is the resource in the "not found" error. `columns` and `from` are needed if a row has more than the entity's
 * columns; the alias in them is the table's name.
 */
export function rowById<Stored extends object, Row extends object = Stored>(
  entity: EntitySchema<Stored>,
  name: string,
  { columns, from }: { readonly columns?: string; readonly from?: string } = {},
): RowById<Row> {
  const alias = String(entity.options.tableName);
  const isApplications = columnList(entity).some(({ property }) => property === "applicationId");
  const text = `SELECT ${columns ?? buildSelectList(entity, alias)} FROM ${from ?? `${getQualifiedTable(entity)} ${alias}`}
    WHERE ${alias}.${isApplications ? "application_id" : "org_id"} = $1 AND ${alias}.id = $2`;
  const only = (rows: readonly object[] | undefined): Row => {
    const row = rows?.[0];
    if (row === undefined) throw notFound(name);
    // The statement's text determines the columns; the caller declares their types.
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
