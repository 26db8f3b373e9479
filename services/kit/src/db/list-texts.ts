// SQL of a list's pages.

import type { Page } from "./page.ts";

export interface ListTexts {
  readonly columns: string;
  readonly from: string;
  /** Over `$1`, the tenant, and the filters' values. */
  readonly where: string;
  readonly tenant: string;
  readonly id: string;
  readonly join: string;
  readonly fits: string;
  /** Whether the page's ids are found first, and its rows are read by them. */
  readonly isFilled: boolean;
  /** The ids by which texts are found, and the function that finds them; undefined when nothing is searched. */
  readonly search: { readonly id: string; readonly find: string } | undefined;
}

/** The page's rows; limit and skip come after `count` values. */
export function listedPage({ columns, from, where }: ListTexts, { orderBy }: Page, count: number): string {
  return `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT $${count + 1} OFFSET $${count + 2}`;
}

/** The same where rows are large, or joined with what is dear: ids first. */
export function fillingPage(list: ListTexts, { orderBy }: Page, count: number): string {
  const { columns, from, where, tenant, id, join, fits } = list;
  return `
    WITH page AS (
      SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT $${count + 1} OFFSET $${count + 2}
    )
    SELECT ${columns} FROM page JOIN ${from} ON ${tenant} = $1 AND ${id} = page.id ${join}
    WHERE ${fits} ORDER BY ${orderBy}`;
}

/** What is found may be most of the tenant's rows: page and total come of one pass. The text comes after `count` values. */
export function searchedPage(list: ListTexts, { orderBy, column, direction }: Page, count: number): string {
  const { columns, from, where, tenant, id, join, fits, search } = list;
  if (search === undefined) throw new Error(`${from} is not searched`);
  return `
    WITH found AS MATERIALIZED (
      SELECT ${id} AS id, ${column} AS sort_key FROM ${from}
      WHERE ${where} AND ${search.id} = ANY (ARRAY(SELECT ${search.find}($${count + 1})))
    ), page AS (
      SELECT id FROM found ORDER BY sort_key ${direction}, id ${direction} LIMIT $${count + 2} OFFSET $${count + 3}
    )
    SELECT ${columns}, counted.total FROM (SELECT count(*)::int AS total FROM found) counted
      LEFT JOIN (page JOIN ${from} ON ${tenant} = $1 AND ${id} = page.id ${join}) ON ${fits}
    ORDER BY ${orderBy}`;
}
