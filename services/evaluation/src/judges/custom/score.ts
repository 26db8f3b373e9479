import { median } from "../median.ts";

export type Choice = "Y" | "N";

/** Returns score 1 if most votes are yes, which is the median of an odd number of votes. */
export function customScore(choices: readonly Choice[]): { score: 0 | 1; passed: boolean } {
  const score = median(choices.map((choice) => (choice === "Y" ? 1 : 0))) === 1 ? 1 : 0;
  return { score, passed: score === 1 };
}
