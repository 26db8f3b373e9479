// Seeded random numbers from the distributions that the scenarios need.

import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Draws {
  /** Returns a sample of the standard normal distribution. */
  normal(): number;
  /** True with this probability. */
  is(probability: number): boolean;
  /** Returns the number of passes among `count` trials, each with the same probability. */
  passes(count: number, probability: number): number;
}

export function seededDraws(seed: number): Draws {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  const is = (probability: number) => uniform() < probability;
  return {
    is,
    // Box-Muller transform; 1 minus a value below 1 is never 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    passes: (count, probability) => {
      let passed = 0;
      for (let test = 0; test < count; test++) passed += Number(is(probability));
      return passed;
    },
  };
}
