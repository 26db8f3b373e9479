// Detects regressions of pass rates, by a rule that is safe to apply every day. Pure.

export interface Day {
  readonly total: number;
  readonly passed: number;
}

export interface Regression {
  /** The last days, and the days before them for comparison. */
  readonly recent: Day & { readonly days: number };
  readonly before: Day;
  /** The difference, measured in standard errors: the signed square root of the likelihood-ratio statistic. */
  readonly z: number;
}

export const recentDaysMax = 7;
export const daysBefore = 28;
/** Number of days that one check reads. */
export const daysRead = recentDaysMax + daysBefore;

/** Minimum numbers of tests for a conclusion. */
const recentMin = 20;
const beforeMin = 100;

/**
 * Threshold in standard errors. If a topic's rate is constant, one check in 30,000 exceeds it. If topics are checked
 * daily for 90 days with windows of 1 to 7 days, at most 7 in 100 ever exceed it (`npm run simulate`).
 */
const alarmFrom = 4;

/** A topic has recovered if its rate is at most one standard error below the earlier rate. */
const recoveredBelow = 1;
const recoveredMin = 50;

/**
 * Returns the clearest regression of the last 1 to 7 days compared with the 28 days before. `days` has one entry per
 * date, oldest first.
 */
export function findRegression(days: readonly Day[]): Regression | undefined {
  const regressions = Array.from({ length: Math.min(recentDaysMax, days.length) }, (_, index): Regression => {
    const at = days.length - index - 1;
    const reference = days.slice(Math.max(0, at - daysBefore), at);
    const [recent, before] = [sumDays(days.slice(at)), sumDays(reference)];
    const isEnough = recent.total >= recentMin && before.total >= beforeMin;
    const z = isEnough ? distance(recent, before) / Math.sqrt(dispersion(reference)) : 0;
    return { recent: { ...recent, days: index + 1 }, before, z };
  });
  const [clearest] = regressions.sort((a, b) => b.z - a.z);
  return clearest !== undefined && clearest.z >= alarmFrom ? clearest : undefined;
}

/** Returns true if the pass rate has recovered, measured on the fewest last days that have enough tests. */
export function hasRecovered(days: readonly Day[], before: Day): boolean {
  for (let length = 1; length <= Math.min(recentDaysMax, days.length); length++) {
    const recent = sumDays(days.slice(-length));
    if (recent.total >= recoveredMin) return distance(recent, before) < recoveredBelow;
  }
  return false;
}

export const getRate = ({ passed, total }: Day) => (total === 0 ? 0 : passed / total);

export const sumDays = (days: readonly Day[]): Day =>
  days.reduce((sum, { total, passed }) => ({ total: sum.total + total, passed: sum.passed + passed }), {
    total: 0,
    passed: 0,
  });

/**
 * Returns how far `recent` is below `before`, in standard errors by the likelihood ratio. Near 0 and 1, where rates are
 * skewed, the difference divided by its standard error would raise ten times as many false alarms.
 */
function distance(recent: Day, before: Day): number {
  const pooled = sumDays([recent, before]);
  const ratio = 2 * (logLikelihood(recent) + logLikelihood(before) - logLikelihood(pooled));
  return Math.sign(getRate(before) - getRate(recent)) * Math.sqrt(Math.max(0, ratio));
}

function logLikelihood({ passed, total }: Day): number {
  const term = (count: number) => (count === 0 ? 0 : count * Math.log(count / total));
  return term(passed) + term(total - passed);
}

/** Returns the overdispersion between days (Pearson's χ² per degree of freedom), which is 1 for independent tests. */
function dispersion(days: readonly Day[]): number {
  const all = sumDays(days);
  const rate = getRate(all);
  const variance = rate * (1 - rate);
  const counted = days.filter(({ total }) => total > 0);
  if (variance === 0 || counted.length < 2) return 1;
  const chiSquare = counted.reduce(
    (sum, { total, passed }) => sum + (passed - total * rate) ** 2 / (total * variance),
    0,
  );
  return Math.max(1, chiSquare / (counted.length - 1));
}
