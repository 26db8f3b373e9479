// Exported as `@ems/experiments/calibration`: calibration formulas and summary, without a database.

export { calibrate, type JudgeCounts } from "./calibrate.ts";
export { chooseNext, type HumanCounts } from "./choose-next.ts";
