// What the package offers as `@ems/experiments/calibration`: what a calibration says, without a database.

export { calibrate, type JudgeCounts } from "./calibrate.ts";
export { chooseNext, type Peoples } from "./choose-next.ts";
