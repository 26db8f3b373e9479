export type { Change } from "./add-up.ts";
export { applySums } from "./apply-sums.ts";
export type { SummedEvaluation, SummedTest } from "./rollups.ts";
export { totalByDays } from "./total.ts";
