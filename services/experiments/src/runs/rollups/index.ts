export type { Change } from "./add-up.ts";
export { applySums } from "./apply-sums.ts";
export type { SummedEvaluation, SummedTest } from "./rollups.ts";
export { summedTest } from "./summed-test.ts";
export { totalByDays } from "./total.ts";
