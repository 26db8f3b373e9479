// A page of rows in SQL, and the other reads of a report.

import { Parameters } from "@ems/kit/db/parameters";
import { type Column, type ReferenceName, references } from "../sources/index.ts";
import { type Compiled, collated } from "./compile-groups.ts";
import type { Plan } from "./plan.ts";
import { rowPredicate } from "./predicates.ts";

/** A page of rows, with the source's columns as `column_0`, `column_1`, … Finds keys first, and reads only those rows whole. */
export function compileRows(applicationId: string, plan: Plan): Compiled {
  const parameters = new Parameters(applicationId);
  const { source } = plan;
  const terms = plan.order.map((order) => {
    if (!("column" in order)) throw new Error("rows are ordered by columns");
    const direction = order.isDescending ? "DESC" : "ASC";
    return `${collated(order.column, order.column.sql)} ${direction}${order.column.isNullable ? " NULLS LAST" : ""}`;
  });
  const predicate = rowPredicate(plan, parameters);
  const limit = `LIMIT ${parameters.add(plan.limit, "bigint")} OFFSET ${parameters.add(plan.skip, "bigint")}`;
  const columns = source.columns.map(({ sql }, at) => `${sql} AS column_${at}`);
  const text = `
    WITH page AS MATERIALIZED (
      SELECT s.created_at, s.id FROM ${source.from} WHERE ${predicate} ORDER BY ${terms.join(", ")} ${limit})
    SELECT ${columns.join(", ")}
    FROM page JOIN ${source.from}
      ON s.application_id = $1::uuid AND s.created_at = page.created_at AND s.id = page.id
    ORDER BY ${terms.join(", ")}`;
  return { text, values: parameters.values };
}

/** The `first` and `last` moment of a date column, null when there is none. */
export function compileBounds(applicationId: string, plan: Plan, { sql }: Column): Compiled {
  const bound = (direction: string) =>
    `(SELECT ${sql} FROM ${plan.source.from}
      WHERE s.application_id = $1::uuid AND ${sql} IS NOT NULL ORDER BY ${sql} ${direction} LIMIT 1)`;
  return { text: `SELECT ${bound("ASC")} AS first, ${bound("DESC")} AS last`, values: [applicationId] };
}

/** The names of references. */
export function compileNames(applicationId: string, reference: ReferenceName, ids: readonly string[]): Compiled {
  const { view, name } = references[reference];
  const text = `SELECT id, ${name} AS name FROM ${view} WHERE application_id = $1::uuid AND id = ANY ($2::uuid[])`;
  return { text, values: [applicationId, ids] };
}
