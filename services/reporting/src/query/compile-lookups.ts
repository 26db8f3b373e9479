// Compiles the look-ups that are made before and after a plan runs.

import { type Column, type ReferenceName, references, type Source, type ViewMembership } from "../sources/index.ts";
import type { Compiled } from "./compile.ts";
import type { Plan } from "./plan.ts";

/** Compiles a statement for the `first` and `last` time in a date column; both are null if there is none. */
export function compileBounds(applicationId: string, plan: Plan, { sql }: Column): Compiled {
  const bound = (direction: string) =>
    `(SELECT ${sql} FROM ${plan.source.from}
      WHERE s.application_id = $1::uuid AND ${sql} IS NOT NULL ORDER BY ${sql} ${direction} LIMIT 1)`;
  return { text: `SELECT ${bound("ASC")} AS first, ${bound("DESC")} AS last`, values: [applicationId] };
}

/**
 * Compiles a statement for two times of a source with a rollup: when the days with rows start, and when the earlier
 * days that only have sums start. Null means that all days have rows, or that no earlier days exist.
 */
export function compilePast(applicationId: string, { rollup }: Source): Compiled | undefined {
  if (rollup?.keptSince === undefined) return undefined;
  const text = `SELECT since, (SELECT r.day::timestamp AT TIME ZONE 'UTC' FROM ${rollup.view}
      WHERE r.application_id = $1::uuid AND r.day < (since AT TIME ZONE 'UTC')::date ORDER BY r.day LIMIT 1) AS first
    FROM (SELECT nullif(${rollup.keptSince}, '-infinity') AS since) kept`;
  return { text, values: [applicationId] };
}

/** Compiles a statement for the time from which the rollup is complete, as `starts`; undefined if it is for all rows. */
export function compileStart(applicationId: string, { rollup }: Source): Compiled | undefined {
  if (rollup?.start === undefined) return undefined;
  return { text: `SELECT starts FROM ${rollup.start} WHERE application_id = $1::uuid`, values: [applicationId] };
}

/** Compiles a statement for ids of archived tasks and topics by column, which `includeArchived: false` excludes. */
export function compileExcluded(applicationId: string, ids: Readonly<Record<string, string>>): Compiled {
  const selects = Object.entries(ids).map(
    ([column, view]) =>
      `SELECT '${column}' AS column, array_agg(id) AS ids FROM ${view} WHERE application_id = $1::uuid AND status = 'ARCHIVED'`,
  );
  return { text: selects.join(" UNION ALL "), values: [applicationId] };
}

/** Compiles a statement for the values, as `id`, of the column that a filter by members is converted to. */
export function compileMembers(
  applicationId: string,
  { view, id, by }: ViewMembership,
  values: readonly string[],
  limit: number,
): Compiled {
  const text = `SELECT DISTINCT ${id} AS id FROM ${view} WHERE application_id = $1::uuid AND ${by} = ANY ($2::uuid[]) LIMIT $3::int`;
  return { text, values: [applicationId, values, limit] };
}

/** Compiles a statement for the names of references. */
export function compileNames(applicationId: string, reference: ReferenceName, ids: readonly string[]): Compiled {
  const { view, name } = references[reference];
  const text = `SELECT id, ${name} AS name FROM ${view} WHERE application_id = $1::uuid AND id = ANY ($2::uuid[])`;
  return { text, values: [applicationId, ids] };
}
