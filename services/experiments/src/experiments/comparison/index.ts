export { compareRuns } from "./compare-runs.ts";
export { compareVariants } from "./compare-variants.ts";
