// Lists: a page of the rows that match, and how many match in all.

import type { QueryResultRow } from "pg";
import type { Call } from "../rpc/call.ts";
import type { Database, Statement } from "./database.ts";
import type { Page } from "./page.ts";

export interface List {
  /** Part of the names of statements: no other list of the service has it. */
  readonly name: string;
  readonly columns: string;
  /** One table, or tables joined, as they stand after FROM. */
  readonly from: string;
  /** What holds for every row of the list, over `$1` to `$n`; the tenant's id is `$1`. */
  readonly where: string;
  readonly tenant: string;
  readonly id: string;
  /** The id by which texts are found, and the function that finds them (search-schema.ts). */
  readonly search: { readonly id: string; readonly find: string };
  /** What has to hold for a page, whose ids are `page.id`; one for which it does not has no rows. */
  readonly fits?: string;
}

interface ListPage<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** Reads the page; only of rows that contain the text `search` when one is given, whatever the case. */
export async function readList<Row extends QueryResultRow>(
  database: Database,
  call: Call,
  list: List,
  page: Page,
  filters: readonly unknown[],
  search: string | undefined,
): Promise<ListPage<Row>> {
  if (search !== undefined) {
    const statement = searchStatement(list, page, [...filters, search]);
    const found = await database.heavy(call, () => database.read<QueryResultRow>(call, statement));
    // The total stands on every row, and on one without an id when the page is empty.
    return { rows: found.filter(({ id }) => id !== null) as Row[], total: found[0]?.total ?? 0 };
  }
  const [rows = [], counts] = await database.readAll(call, [
    {
      name: `list-${list.name}-${page.orderName}`,
      text: list.fits === undefined ? plainText(list, page, filters.length) : fittingText(list, page, filters.length),
      values: [...filters, page.limit, page.skip],
    },
    {
      name: `count-${list.name}`,
      text: `SELECT count(*)::int AS total FROM ${list.from} WHERE ${list.where}`,
      values: [...filters],
    },
  ]);
  // A list's columns are what its text says; the caller names their types beside it.
  return { rows: rows as Row[], total: counts?.[0]?.total ?? 0 };
}

function plainText({ columns, from, where }: List, { orderBy }: Page, filters: number): string {
  return `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT $${filters + 1} OFFSET $${filters + 2}`;
}

function fittingText(list: List, { orderBy }: Page, filters: number): string {
  const { columns, from, where, tenant, id, fits } = list;
  return `
    WITH page AS (
      SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT $${filters + 1} OFFSET $${filters + 2}
    )
    SELECT ${columns} FROM page JOIN ${from} ON ${tenant} = $1 AND ${id} = page.id WHERE ${fits} ORDER BY ${orderBy}`;
}

/** What is found may be most of the tenant's rows: page and total come of going through it once. */
function searchStatement(list: List, { orderName, orderBy, column, direction, limit, skip }: Page, values: unknown[]) {
  const { name, columns, from, where, tenant, id, search, fits } = list;
  const count = values.length;
  return {
    name: `search-${name}-${orderName}`,
    text: `
      WITH found AS MATERIALIZED (
        SELECT ${id} AS id, ${column} AS place FROM ${from}
        WHERE ${where} AND ${search.id} = ANY (ARRAY(SELECT ${search.find}($${count})))
      ), page AS (
        SELECT id FROM found ORDER BY place ${direction}, id ${direction} LIMIT $${count + 1} OFFSET $${count + 2}
      )
      SELECT ${columns}, counted.total FROM (SELECT count(*)::int AS total FROM found) counted
        LEFT JOIN (page JOIN ${from} ON ${tenant} = $1 AND ${id} = page.id) ON ${fits ?? "true"}
      ORDER BY ${orderBy}`,
    values: [...values, limit, skip],
  } satisfies Statement;
}
