export const passesFrom = 0.8;

export interface Counts {
  /** Number of claims in the answer that the ground truth supports (true positives). */
  readonly tp: number;
  /** Number of claims in the answer that the ground truth does not support (false positives). */
  readonly fp: number;
  /** Number of claims in the ground truth that the answer does not make (false negatives). */
  readonly fn: number;
}

/** Computes the F1 score of claims; 0 if there are none. Precision or recall is undefined if its denominator is 0. */
export function factScore({ tp, fp, fn }: Counts) {
  const score = ratio(2 * tp, 2 * tp + fp + fn) ?? 0;
  return { score, precision: ratio(tp, tp + fp), recall: ratio(tp, tp + fn), passed: score >= passesFrom };
}

const ratio = (part: number, all: number) => (all === 0 ? undefined : part / all);
