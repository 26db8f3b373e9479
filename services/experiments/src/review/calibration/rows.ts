// What a calibration is made of.

/** What tells one judge from another. */
export interface JudgeKey {
  readonly definitionVersion: number | null;
  readonly judgeVersion: string | null;
  readonly model: string | null;
}

/** How many traces one judge and people found so. */
export interface AgreementRow extends JudgeKey {
  readonly bothPass: number;
  readonly onlyJudgePasses: number;
  readonly onlyHumanPasses: number;
  readonly bothFail: number;
  readonly undecided: number;
}

/** What one judge found of all traces of the time. */
export interface JudgedRow extends JudgeKey {
  readonly evaluations: number;
  readonly passed: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** An evaluation whose trace nobody annotated, and that waits in no queue. */
export interface CandidateRow extends JudgeKey {
  readonly traceId: string;
  readonly testId: string;
  readonly taskId: string;
  readonly topicId: string | null;
}

/** How many traces of a task people passed and failed. */
export interface TaskRow {
  readonly taskId: string;
  readonly passed: number;
  readonly failed: number;
}

/** The application's floor of kappa; no row without one of its own. */
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
