import { enumValue } from "@ems/kit/enum";
import { buildMessage } from "@ems/kit/message";
import { type EvalDefinition, EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import { RecordedRunSchema, RunSchema } from "@ems/proto/experiments/v1/run";
import { type Sums, toResult } from "../evaluations/index.ts";
import type { RunRow } from "./entity.ts";

/** Sums over the tests of a run; scores are in millionths. */
export interface RunStat extends Sums {
  readonly runId: string;
  readonly tests: number;
  readonly ended: number;
}

/** Sums over those evaluations of a run that use the same definition. */
export interface RunDefinition extends Sums {
  readonly runId: string;
  readonly definitionId: string;
  readonly definitionType: string;
}

export const recordedRun = (row: RunRow) => buildMessage(RecordedRunSchema, row);

/** Progress and results of a run. */
export type RunOutcome = ReturnType<typeof runOutcome>;

/** Builds the outcome of a run. `stat` is undefined only for a run without tests. */
export function runOutcome(
  stat: RunStat | undefined,
  runDefinitions: readonly RunDefinition[],
  definitions: ReadonlyMap<string, EvalDefinition>,
) {
  const progress = { completed: BigInt(stat?.ended ?? 0), total: BigInt(stat?.tests ?? 0) };
  const result = stat && toResult({ ...stat, ...getScores(stat, runDefinitions) });
  const evals = runDefinitions.flatMap((sums) => {
    const name = definitions.get(sums.definitionId)?.name ?? "";
    const type = enumValue(EvalDefinitionTypeSchema, sums.definitionType);
    const ofDefinition = toResult(sums);
    return ofDefinition === undefined ? [] : [{ id: sums.definitionId, name, type, ...ofDefinition }];
  });
  evals.sort((a, b) => a.name.localeCompare(b.name, "en") || a.id.localeCompare(b.id, "en"));
  return { progress, result: result === undefined ? null : { ...result, evals } };
}

export const run = (row: RunRow, outcome: RunOutcome) => buildMessage(RunSchema, { ...row, ...outcome });

/** Returns the scores of the run's evaluations, or of its tests if it has no evaluations. */
export function getScores(stat: RunStat, runDefinitions: readonly RunDefinition[]) {
  const scoreRows = runDefinitions.reduce((sum, definition) => sum + definition.scoreRows, 0);
  if (scoreRows === 0) return { scoreRows: stat.scoreRows, scoreSum: 4 * stat.scoreSum };
  return { scoreRows, scoreSum: runDefinitions.reduce((sum, definition) => sum + definition.scoreSum, 0) };
}
