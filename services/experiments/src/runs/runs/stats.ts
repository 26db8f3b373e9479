import type { Call } from "@ems/kit/rpc/call";
import { loadReferences } from "@ems/results";
import type { Deps } from "../../deps.ts";
import type { RunRow } from "./entity.ts";
import { type RunDefinition, type RunOutcome, type RunStat, run, runOutcome } from "./messages.ts";

const sums = `counted::float8, passed::float8, errored::float8, score_rows::float8 AS "scoreRows", score_sum::float8 AS "scoreSum"`;
/** Statements whose parameters are the application and a list of runs. */
export const runStats = {
  name: "run-stats",
  text: `SELECT run_id AS "runId", tests::float8, ended::float8, ${sums},
    evaluation_score_rows::float8 AS "evaluationScoreRows", evaluation_score_sum::float8 AS "evaluationScoreSum" FROM experiments.run_stat
  WHERE application_id = $1 AND run_id = ANY ($2::uuid[])`,
};
export const runDefinitions = {
  name: "run-definitions",
  text: `SELECT run_id AS "runId", definition_id AS "definitionId", definition_type AS "definitionType",
    ${sums} FROM experiments.run_definition WHERE application_id = $1 AND run_id = ANY ($2::uuid[])`,
};

/** Builds the messages of runs with their progress and results. */
export async function fullRuns(deps: Pick<Deps, "database" | "references">, call: Call, rows: readonly RunRow[]) {
  const outcomes = await runOutcomes(
    deps,
    call,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => run(row, outcomes.get(row.id) ?? runOutcome(undefined, [], new Map())));
}

/** Returns the outcomes of runs by id, with one round trip to the database and one call to catalog. */
export async function runOutcomes(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunOutcome>> {
  if (runIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, runIds];
  const [statRows, definitionRows] = await database.readAll(call, [
    { ...runStats, values },
    { ...runDefinitions, values },
  ]);
  // Safe cast: the row types match the statements' select lists.
  const definitionsByRun = Map.groupBy(definitionRows as RunDefinition[], ({ runId }) => runId);
  const statByRun = new Map((statRows as RunStat[]).map((stat) => [stat.runId, stat]));
  const definitionIds = [...definitionsByRun.values()].flat().map(({ definitionId }) => definitionId);
  const { definitions } = await loadReferences(references, call, definitionIds);
  return new Map(runIds.map((id) => [id, runOutcome(statByRun.get(id), definitionsByRun.get(id) ?? [], definitions)]));
}
