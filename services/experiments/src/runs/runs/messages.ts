import { enumValue } from "@ems/kit/enum";
import { buildMessage } from "@ems/kit/message";
import { type EvalDefinition, EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import { RecordedRunSchema, RunSchema } from "@ems/proto/experiments/v1/run";
import { noResults, type Sums, toResult, toSummary } from "../outcomes/index.ts";
import type { RunRow } from "./entity.ts";

/** Sums over the tests of a run; scores are in millionths. */
export interface RunStat extends Omit<Sums, "none"> {
  readonly runId: string;
  readonly tests: number;
  readonly ended: number;
  /** Scores of the judged tests' evaluations, in quarters of millionths. */
  readonly evaluationScoreRows: number;
  readonly evaluationScoreSum: number;
}

/** Sums over those evaluations of a run that use the same definition. */
export interface RunDefinition extends Omit<Sums, "none"> {
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
  const sums = stat === undefined ? noResults : runSums(stat);
  const result = toResult(sums);
  const evals = runDefinitions.flatMap((sums) => {
    const name = definitions.get(sums.definitionId)?.name ?? "";
    const type = enumValue(EvalDefinitionTypeSchema, sums.definitionType);
    const ofDefinition = toResult(sums);
    const errored = BigInt(sums.errored);
    return ofDefinition === undefined ? [] : [{ id: sums.definitionId, name, type, errored, ...ofDefinition }];
  });
  evals.sort((a, b) => a.name.localeCompare(b.name, "en") || a.id.localeCompare(b.id, "en"));
  return { progress, result: result === undefined ? null : { ...result, evals }, summary: toSummary(sums) };
}

export const run = (row: RunRow, outcome: RunOutcome) => buildMessage(RunSchema, { ...row, ...outcome });

/** Returns the sums of a run. Scores are those of the judged tests' evaluations, or of its tests if it has none. */
export function runSums({ evaluationScoreRows, evaluationScoreSum, ...stat }: RunStat): Sums {
  const none = stat.ended - stat.counted - stat.errored;
  if (evaluationScoreRows === 0) return { ...stat, none, scoreSum: 4 * stat.scoreSum };
  return { ...stat, none, scoreRows: evaluationScoreRows, scoreSum: evaluationScoreSum };
}
