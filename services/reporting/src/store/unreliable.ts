// Finds judges of a report's rows that do not agree enough with people.

import type { Read } from "@ems/kit/db/snapshot";
import { compileNames, type Measure, type Plan, type ResultRow } from "../query/index.ts";
import type { Column } from "../sources/index.ts";
import type { UnreliableDefinition } from "./store.ts";

/** Maximum number of unreliable definitions in one response. */
const definitionsMax = 100;

const unreliable = `SELECT c.definition_id AS id, c.kappa FROM reporting.judge_calibration_v1 c
  WHERE c.application_id = $1::uuid AND NOT c.reliable`;

/**
 * Returns the definitions with unreliable judges, those with the most rows first. `readGroups` runs a plan with groups.
 * Usually there are none, and nothing needs to be counted.
 */
export async function unreliableDefinitions(
  read: Read,
  applicationId: string,
  plan: Plan,
  readGroups: (plan: Plan) => Promise<readonly ResultRow[]>,
): Promise<UnreliableDefinition[]> {
  const { judgedBy } = plan.source;
  if (judgedBy === undefined) return [];
  const judges = await read<{ id: string; kappa: number }>({ text: unreliable, values: [applicationId] });
  if (judges.length === 0) return [];
  const ids = judges.map(({ id }) => id);
  const groups = await readGroups(countsBy(plan, judgedBy, ids));
  if (groups.length === 0) return [];
  const names = new Map(
    (await read<{ id: string; name: string }>(compileNames(applicationId, "definition", ids))).map((row) => [
      row.id,
      row,
    ]),
  );
  const kappas = new Map(judges.map(({ id, kappa }) => [id, kappa]));
  return groups.map(({ group_0, rows }) => {
    const id = String(group_0);
    return { id, name: names.get(id)?.name ?? "", kappa: kappas.get(id) ?? 0, rows: Number(rows) };
  });
}

/** Plans a report that counts the matching rows by these definitions. */
function countsBy(plan: Plan, column: Column, ids: readonly string[]): Plan {
  const [grouping, count]: [{ column: Column }, Measure] = [{ column }, { id: "count", type: "count" }];
  return {
    ...plan,
    isGrouped: true,
    groupings: [grouping],
    measures: [count],
    skip: 0,
    limit: definitionsMax,
    filters: [...plan.filters, { column, at: -1, kind: "string", isNegated: false, values: ids }],
    order: [
      { measure: count, isDescending: true },
      { grouping, isDescending: false },
    ],
  };
}
