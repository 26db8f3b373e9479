// Rows that a calibration is computed from.

/** Identity of a judge. */
export interface JudgeKey {
  readonly definitionVersion: number | null;
  readonly judgeVersion: string | null;
  readonly model: string | null;
}

/** Number of traces with the same decisions of one judge and of people. */
export interface AgreementRow extends JudgeKey {
  readonly bothPass: number;
  readonly onlyJudgePasses: number;
  readonly onlyHumanPasses: number;
  readonly bothFail: number;
  readonly undecided: number;
}

/** Decisions of one judge on all traces in the time range. */
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

/** Minimum kappa of the application; no row if it uses the default. */
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
