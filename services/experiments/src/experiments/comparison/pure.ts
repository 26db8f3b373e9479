// Exports that work without a database, for simulations.

export { classifyDifference, compare, testedP } from "./compare.ts";
export type { TaskResults } from "./task-results.ts";
