import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timeRange } from "@ems/kit/db/list";
import type { Call } from "@ems/kit/rpc/call";
import { calibrationDays } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { kappaFloorDefault } from "../../runs/monitoring/index.ts";
import { calibrate, type Quality } from "./calibrate.ts";
import { chooseNext } from "./choose-next.ts";
import { readRows } from "./queries.ts";
import type { AgreementRow, CandidateRow, JudgedRow, JudgeKey } from "./rows.ts";

const dayMs = 86_400_000;

export interface CalibrationRequest {
  readonly id: string;
  readonly topicId?: string | undefined;
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
}

/** A judge with its measures. */
export interface MeasuredJudge extends JudgeKey {
  readonly agreement: Omit<AgreementRow, keyof JudgeKey>;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly evaluations: number;
  readonly quality: Quality;
}

export interface Calibrated {
  /** Judges, latest first; at least one. */
  readonly judges: readonly [MeasuredJudge, ...MeasuredJudge[]];
  readonly next: readonly CandidateRow[];
  /** Minimum kappa for a judge to count as reliable. */
  readonly kappaFloor: number;
}

/** Reads the calibration of a definition, including `count` traces to annotate next. */
export function readCalibration(
  { stores, clock }: Pick<Deps, "stores" | "clock">,
  call: Call,
  { id, topicId, ...dates }: CalibrationRequest,
  count: number,
): Promise<Calibrated> {
  const now = clock.now();
  const { from = new Date(now.getTime() - calibrationDays * dayMs), until = null } = timeRange(dates);
  const scope = { definitionId: id, topicId: topicId ?? null, from, until, now };
  return stores.database.runExpensive(call, async () => {
    const [agreements, judged, candidates, tasks, [{ kappaFloor = kappaFloorDefault } = {}]] = await readRows(
      stores,
      call,
      scope,
    );
    const judges = listJudges(agreements, judged);
    const [latest] = judges;
    const ofLatest = candidates.filter((candidate) => getKey(candidate) === getKey(latest));
    const ofTasks = new Map(tasks.map((task) => [task.taskId, task]));
    return { judges, kappaFloor, next: chooseNext(ofLatest, latest.quality, ofTasks, count) };
  });
}

const getKey = ({ definitionVersion, judgeVersion, model }: JudgeKey) =>
  JSON.stringify([definitionVersion, judgeVersion, model]);

const nothing = { bothPass: 0, onlyJudgePasses: 0, onlyHumanPasses: 0, bothFail: 0, undecided: 0, scores: [] };

/** Merges the rows of one judge from PostgreSQL and the archive. */
const added = (a: JudgedRow, b: JudgedRow): JudgedRow => ({
  ...a,
  evaluations: a.evaluations + b.evaluations,
  passed: a.passed + b.passed,
  firstAt: new Date(Math.min(a.firstAt.getTime(), b.firstAt.getTime())),
  lastAt: new Date(Math.max(a.lastAt.getTime(), b.lastAt.getTime())),
});

const addAgreements = (a: AgreementRow, b: AgreementRow): AgreementRow => ({
  ...a,
  bothPass: a.bothPass + b.bothPass,
  onlyJudgePasses: a.onlyJudgePasses + b.onlyJudgePasses,
  onlyHumanPasses: a.onlyHumanPasses + b.onlyHumanPasses,
  bothFail: a.bothFail + b.bothFail,
  undecided: a.undecided + b.undecided,
  scores: [...a.scores, ...b.scores],
});

/** Returns the judges, latest first; at least one. */
export function listJudges(agreements: readonly AgreementRow[], found: readonly JudgedRow[]): Calibrated["judges"] {
  const judged = [...Map.groupBy(found, getKey).values()].map((rows) => rows.reduce(added));
  const agreed = [...Map.groupBy(agreements, getKey).values()].map((rows) => rows.reduce(addAgreements));
  const byKey = new Map(agreed.map((row) => [getKey(row), row]));
  const newest = judged.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  const withTime = newest.map((row) => measured(row, byKey.get(getKey(row)), row));
  const inTime = new Set(judged.map(getKey));
  // Judges that only annotations refer to, because they have no results in the time range; sorted by version.
  const earlier = agreed
    .filter((row) => !inTime.has(getKey(row)))
    .toSorted((a, b) => (b.definitionVersion ?? 0) - (a.definitionVersion ?? 0) || (getKey(a) < getKey(b) ? 1 : -1))
    .map((row) => measured(row, row));
  const [first, ...rest] = [...withTime, ...earlier];
  return [first ?? measured({ definitionVersion: null, judgeVersion: null, model: null }), ...rest];
}

function measured(
  key: JudgeKey,
  agreement: Omit<AgreementRow, keyof JudgeKey> = nothing,
  row?: JudgedRow,
): MeasuredJudge {
  const { evaluations = 0, passed = 0, firstAt = null, lastAt = null } = row ?? {};
  const { definitionVersion, judgeVersion, model } = key;
  const quality = calibrate({ confusion: agreement, evaluations, passed, scores: agreement.scores });
  return { definitionVersion, judgeVersion, model, agreement, firstAt, lastAt, evaluations, quality };
}
