// Rows of a list after a cursor, in the order of arrival and without a total: for exports and long selections.

import type { Call } from "../rpc/call.ts";
import type { Database } from "./database.ts";
import type { List } from "./list.ts";
import { buildPredicates } from "./list-texts.ts";
import { Parameters } from "./parameters.ts";

export interface AfterRequest {
  /** Position of the last row that was read; undefined for the first page. */
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined;
  /** Only rows that arrived until this time. */
  readonly until?: Date | undefined;
  readonly limit: number;
  readonly search?: string | undefined;
}

/** Reads the rows that arrived after `after`, oldest first. `columns` replaces the list's columns. */
export async function readAfter<Row>(
  database: Database,
  call: Call,
  list: List<Row>,
  { after, until, limit, search }: AfterRequest,
  filters: Readonly<Record<string, unknown>>,
  columns = list.columns,
): Promise<Row[]> {
  const parameters = new Parameters(list.getTenantId(call));
  const createdAt = list.orders.columns.createdAt ?? `${list.alias}.created_at`;
  const where = [`${list.tenant} = $1`, ...buildPredicates(list, filters, parameters).map(({ text }) => text)];
  if (search !== undefined && list.search !== undefined)
    where.push(`${list.search.id} = ANY (ARRAY(SELECT ${list.search.find}(${parameters.add(search)})))`);
  if (after !== undefined)
    where.push(
      `(${createdAt}, ${list.id}) > (${parameters.add(after.createdAt, "timestamptz")}, ${parameters.add(after.id, "uuid")})`,
    );
  if (until !== undefined) where.push(`${createdAt} <= ${parameters.add(until, "timestamptz")}`);
  const text = `SELECT ${columns} FROM ${list.from} ${list.join} WHERE ${where.join(" AND ")}
    ORDER BY ${createdAt}, ${list.id} LIMIT ${limit}`;
  const read = () => database.read<Record<string, unknown>>(call, { text, values: parameters.values });
  return list.toRows(search === undefined ? await read() : await database.runExpensive(call, read));
}
