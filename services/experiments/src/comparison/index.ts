export { compareRuns } from "./compare-runs.ts";
