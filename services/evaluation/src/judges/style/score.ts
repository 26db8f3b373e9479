import { mean, median } from "../median.ts";

export const passesFrom = 3.5;

/** Computes the mean of the sections' medians. Each vote contains the grades of all sections, in order. */
export function styleScore(votes: readonly (readonly number[])[]): {
  sections: number[];
  score: number;
  passed: boolean;
} {
  const [first = []] = votes;
  const sections = first.map((_, at) => median(votes.map((grades) => grades[at] ?? Number.NaN)));
  const score = mean(sections);
  return { sections, score, passed: score >= passesFrom };
}
