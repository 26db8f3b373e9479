// Pages of rows as SQL.

import { Parameters } from "@ems/kit/db/parameters";
import type { ArchivedRow } from "./compile-archive.ts";
import type { Plan } from "./plan.ts";
import { rowPredicate } from "./predicates.ts";
import { type Compiled, collated, typeOf, unnest } from "./sql.ts";

/**
 * A page of rows, with the source's columns as `column_0`, `column_1`, … Finds keys first, and reads only those rows whole. With
 * `candidates` of the archive, rows have their `key` and `created`, and no columns when only the archive has them.
 */
export function compileRows(applicationId: string, plan: Plan, candidates?: readonly ArchivedRow[]): Compiled {
  const parameters = new Parameters(applicationId);
  const { source } = plan;
  const terms = plan.order.map((order, at) => {
    if (!("column" in order)) throw new Error("rows are ordered by columns");
    const direction = order.isDescending ? "DESC" : "ASC";
    const { column } = order;
    return { column, name: `order_${at}`, direction: `${direction}${column.isNullable ? " NULLS LAST" : ""}` };
  });
  const orderBy = `ORDER BY ${terms.map(({ name, direction }) => `${name} ${direction}`).join(", ")}`;
  const limited = (limit: number) => `LIMIT ${parameters.add(limit, "bigint")}`;
  const selected = terms.map(({ column, name }) => `${collated(column, column.sql)} AS ${name}`);
  const rows = (limit: string) => `SELECT s.created_at, s.id, ${selected.join(", ")}
      FROM ${source.from} WHERE ${rowPredicate(plan, parameters)} ${orderBy} ${limit}`;
  const offset = `OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = source.columns.map(({ sql }, at) => `${sql} AS column_${at}`);
  let page: string;
  if (candidates === undefined) {
    page = `${rows(limited(plan.limit))} ${offset}`;
  } else {
    const archived = unnest(candidates, parameters, [
      ["created", "timestamptz"],
      ["key", "uuid"],
      ...terms.map(({ column, name }): [string, string] => [name, typeOf(column)]),
    ]);
    page = `SELECT * FROM ((${rows(limited(plan.skip + plan.limit))}) UNION ALL ${archived}) candidate
      ${orderBy} ${limited(plan.limit)} ${offset}`;
    columns.push("page.created_at AS created", "page.id AS key");
  }
  const text = `
    WITH page AS MATERIALIZED (${page})
    SELECT ${columns.join(", ")}
    FROM page ${candidates === undefined ? "" : "LEFT "}JOIN ${source.from}
      ON s.application_id = $1::uuid AND s.created_at = page.created_at AND s.id = page.id
    ${orderBy}`;
  return { text, values: parameters.values };
}
