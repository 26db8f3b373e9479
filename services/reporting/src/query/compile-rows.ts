// Rows in SQL: a page of them, found by what they are ordered by and only then read whole; and what else a report asks
// of the database.

import { references } from "../sources/index.ts";
import type { Column, ReferenceName } from "../sources/source.ts";
import { collated } from "./compile-groups.ts";
import { conditions } from "./conditions.ts";
import { type Compiled, Parameters } from "./parameters.ts";
import type { Plan } from "./plan.ts";

/** A page of rows, their columns as `c0`, `c1`, … in the order of the source's. */
export function compileRows(applicationId: string, plan: Plan): Compiled {
  const parameters = new Parameters(applicationId);
  const { source } = plan;
  const terms = plan.order.map((order) => {
    if (!("column" in order)) throw new Error("rows are ordered by columns");
    const direction = order.isDescending ? "DESC" : "ASC";
    return `${collated(order.column, order.column.sql)} ${direction}${order.column.isNullable ? " NULLS LAST" : ""}`;
  });
  const where = conditions(plan, parameters);
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = source.columns.map(({ sql }, at) => `${sql} AS c${at}`);
  const text = `
    WITH page AS MATERIALIZED (
      SELECT s.created_at, s.id FROM ${source.from} WHERE ${where} ORDER BY ${terms.join(", ")} ${limit})
    SELECT ${columns.join(", ")}
    FROM page JOIN ${source.from}
      ON s.application_id = $1::uuid AND s.created_at = page.created_at AND s.id = page.id
    ORDER BY ${terms.join(", ")}`;
  return { text, values: parameters.values };
}

/** The first and the last moment of a date column, null where there is none. */
export function compileExtent(applicationId: string, plan: Plan, { sql }: Column): Compiled {
  const parameters = new Parameters(applicationId);
  const end = (direction: string) =>
    `(SELECT ${sql} FROM ${plan.source.from}
      WHERE s.application_id = $1::uuid AND ${sql} IS NOT NULL ORDER BY ${sql} ${direction} LIMIT 1)`;
  return { text: `SELECT ${end("ASC")} AS first, ${end("DESC")} AS last`, values: parameters.values };
}

/** What the things of those ids are called. */
export function compileNames(applicationId: string, reference: ReferenceName, ids: readonly string[]): Compiled {
  const parameters = new Parameters(applicationId);
  const { view, name } = references[reference];
  const wanted = parameters.add(ids, "uuid[]");
  const text = `SELECT id, ${name} AS name FROM ${view} WHERE application_id = $1::uuid AND id = ANY (${wanted})`;
  return { text, values: parameters.values };
}
