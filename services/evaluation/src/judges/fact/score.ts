export const passesFrom = 0.8;

export interface Counts {
  /** Claims of the answer that the truth supports. */
  readonly tp: number;
  /** Claims of the answer that the truth does not support. */
  readonly fp: number;
  /** Claims of the truth that the answer does not make. */
  readonly fn: number;
}

/** Computes the F1 score of claims; 0 without any. Precision and recall are undefined if their denominator is 0. */
export function factScore({ tp, fp, fn }: Counts) {
  const score = ratio(2 * tp, 2 * tp + fp + fn) ?? 0;
  return { score, precision: ratio(tp, tp + fp), recall: ratio(tp, tp + fn), passed: score >= passesFrom };
}

const ratio = (part: number, all: number) => (all === 0 ? undefined : part / all);
