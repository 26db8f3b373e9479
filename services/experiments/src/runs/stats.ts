import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { loadReferences } from "../evaluations/index.ts";
import type { RunRow } from "./entity.ts";
import { type RunDefinition, type RunStat, run } from "./messages.ts";

const sums = `counted::float8, passed::float8, score_rows::float8 AS "scoreRows", score_sum::float8 AS "scoreSum"`;
/** Statements over the application and a list of runs. */
export const runStats = {
  name: "run-stats",
  text: `SELECT run_id AS "runId", tests::float8, ended::float8, ${sums} FROM experiments.run_stat
  WHERE application_id = $1 AND run_id = ANY ($2::uuid[])`,
};
export const runDefinitions = {
  name: "run-definitions",
  text: `SELECT run_id AS "runId", definition_id AS "definitionId", definition_type AS "definitionType",
    ${sums} FROM experiments.run_definition WHERE application_id = $1 AND run_id = ANY ($2::uuid[])`,
};

/** Runs with their progress and results, by one round trip to the database and one call to catalog. */
export async function fullRuns(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  rows: readonly RunRow[],
) {
  if (rows.length === 0) return [];
  const values = [call.tenant.applicationId, rows.map(({ id }) => id)];
  const [statRows, definitionRows] = await database.readAll(call, [
    { ...runStats, values },
    { ...runDefinitions, values },
  ]);
  // Row types follow the statements' select lists.
  const definitionsOf = Map.groupBy(definitionRows as RunDefinition[], ({ runId }) => runId);
  const statOf = new Map((statRows as RunStat[]).map((stat) => [stat.runId, stat]));
  const definitionIds = [...definitionsOf.values()].flat().map(({ definitionId }) => definitionId);
  const { definitions } = await loadReferences(references, call, definitionIds);
  return rows.map((row) => run(row, statOf.get(row.id), definitionsOf.get(row.id) ?? [], definitions));
}
