// Statistics of results: pure functions, compared with the values of statsmodels and scipy (`golden.json`).

export { type Confusion, correctedRate, type Estimate, type JudgeQuality, kappa } from "./agreement.ts";
export {
  type ConfidenceInterval,
  meanInterval,
  type Passes,
  rateDifferenceInterval,
  rateInterval,
  wilson,
} from "./intervals.ts";
export { type Cluster, clusteredMean, type Mean, meanDifference } from "./means.ts";
export { itemsNeeded, smallestDetectable } from "./power.ts";
export { correlation, type ScorePair, weightedKappa } from "./score-agreement.ts";
export { fisherP, holm, mcnemarP } from "./tests.ts";
