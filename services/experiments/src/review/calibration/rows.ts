// Rows that a calibration is computed from.

import type { ScorePair } from "@ems/kit/statistics";

/** Identity of a judge: version of the definition and of the judge, and the model. */
export interface JudgeKey {
  readonly definitionVersion: number | null;
  readonly judgeVersion: string | null;
  readonly model: string | null;
}

/** Numbers of traces for each combination of one judge's decision and the decision of people. */
export interface AgreementRow extends JudgeKey {
  readonly bothPass: number;
  readonly onlyJudgePasses: number;
  readonly onlyHumanPasses: number;
  readonly bothFail: number;
  readonly undecided: number;
  /** Scores of the judge and of people, in mean, for the traces that have both. */
  readonly scores: readonly ScorePair[];
}

/** Number of decisions that one judge made on traces in the time range. */
export interface JudgedRow extends JudgeKey {
  readonly evaluations: number;
  readonly passed: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** An evaluation whose trace is neither annotated nor queued. */
export interface CandidateRow extends JudgeKey {
  readonly traceId: string;
  readonly testId: string;
  readonly taskId: string;
  readonly topicId: string | null;
}

/** Number of a task's traces that people passed and failed. */
export interface TaskRow {
  readonly taskId: string;
  readonly passed: number;
  readonly failed: number;
}

/** The application's minimum kappa; there is no row if the application uses the default. */
export interface FloorRow {
  readonly kappaFloor: number;
}

export interface Scope {
  readonly definitionId: string;
  readonly topicId: string | null;
  readonly from: Date;
  readonly until: Date | null;
  readonly now: Date;
}
