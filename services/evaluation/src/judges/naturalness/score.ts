import { mean, median } from "../median.ts";

export const aspects = ["coherence", "engagingness", "naturalness", "relevance", "clarity"] as const;

/** Grades of the aspects, each from 1 to 5. */
export type Grades = Readonly<Record<(typeof aspects)[number], number>>;

export const passesFrom = 3.5;

/**
 * Computes the median of each aspect over the votes; the score is the mean of the medians. Passes if all five medians
 * and the mean reach the threshold.
 */
export function naturalnessScore(votes: readonly Grades[]): { grades: Grades; score: number; passed: boolean } {
  const of = (aspect: keyof Grades) => median(votes.map((vote) => vote[aspect]));
  const grades: Grades = {
    coherence: of("coherence"),
    engagingness: of("engagingness"),
    naturalness: of("naturalness"),
    relevance: of("relevance"),
    clarity: of("clarity"),
  };
  const all = aspects.map((aspect) => grades[aspect]);
  const score = mean(all);
  return { grades, score, passed: score >= passesFrom && all.every((grade) => grade >= passesFrom) };
}
